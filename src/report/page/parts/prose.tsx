/** A sentence in which what stands between backticks is shown as code. */
export function Prose({ text }: { text: string }) {
  return (
    <>
      {text
        .split(/`([^`\n]+)`/)
        .map((part, index) => (index % 2 === 1 ? <code class="tick">{part}</code> : part))}
    </>
  )
}
