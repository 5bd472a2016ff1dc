/** A file's text, built into what imports it. */
declare module '*?raw' {
  const text: string
  export default text
}
