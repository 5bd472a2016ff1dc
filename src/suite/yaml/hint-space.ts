/** Says that a text looks like a key and its value with no space between them; undefined for any other one. The value, which may be secret, is not repeated. */
export function hintSpace(text: unknown): string | undefined {
  const [, key] = (typeof text === 'string' && /^([a-z_][\w.-]*):(?!\/\/)\S.*$/i.exec(text)) || []
  return key === undefined ? undefined : `Put a space after the colon: \`${key}: …\`.`
}
