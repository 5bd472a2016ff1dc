/** Texts that formats of `ajv-formats` take, but no standard: an offset without minutes or colon, a URN, a port that is no number. */
const LAX: Readonly<Record<string, RegExp>> = {
  'date-time': /[+-]\d\d(?:\d\d)?$/,
  time: /[+-]\d\d(?:\d\d)?$/,
  uuid: /^urn:/i,
  uri: /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#@]*@|(?![^/?#]*@))(?:\[[^\]]*\]|[^:/?#@[]*):(?!\d*(?:[/?#]|$))/i,
}

/** True for a text that only looks as if it had a format. */
export function isLax(format: string, text: string): boolean {
  return LAX[format]?.test(text) === true
}
