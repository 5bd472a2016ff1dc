/** The text of a file, bundled into the module that imports it. */
declare module '*?raw' {
  const text: string
  export default text
}
