/** Says that a text looks like a key and its value with no space between them; undefined for any other one. */
export function hintSpace(text: unknown): string | undefined {
  const [, key, value] = (typeof text === 'string' && /^([a-z_][\w.-]*):(?!\/\/)(\S.*)$/is.exec(text)) || []
  return key === undefined ? undefined : `Put a space after the colon: \`${key}: ${value}\`.`
}
