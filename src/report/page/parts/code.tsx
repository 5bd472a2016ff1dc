import type { ComponentChildren } from 'preact'
import { CopyButton } from './copy-button.tsx'
import { useFirst } from './parts.tsx'
import { showValue } from '../state/format.ts'
import { tokenise } from '../state/highlight.ts'

type CodeProps = {
  text: string
  label: string
  language?: 'json' | 'yaml' | undefined
  /** Number of the first line, where lines are numbered. */
  firstLine?: number
  /** Numbers of lines that something is wrong with. */
  marked?: readonly number[]
}

/** A JSON value or a text, coloured. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  return (
    <Code text={showValue(value)} label={label} language={typeof value === 'string' ? undefined : 'json'} />
  )
}

/** A block of text with a button to copy it; a long one starts shortened. */
export function Code({ text, label, language, firstLine, marked = [] }: CodeProps) {
  const [lines, rest] = useFirst(text.split('\n'), 400)
  const numbered = (start: number): ComponentChildren =>
    lines.map((line, index) => {
      const Line = marked.includes(start + index) ? 'mark' : 'span'
      return (
        <Line class="line" data-line={start + index}>
          {colour(line || ' ', language)}
        </Line>
      )
    })
  return (
    <div class="code">
      <pre tabIndex={0} aria-label={label}>
        {firstLine === undefined ? colour(lines.join('\n'), language) : numbered(firstLine)}
      </pre>
      <CopyButton text={text} label={label} />
      {rest}
    </div>
  )
}

function colour(text: string, language: CodeProps['language']): ComponentChildren {
  if (language === undefined) return text
  return tokenise(text, language).map((token) =>
    token.kind === 'plain' ? token.text : <span class={`t-${token.kind}`}>{token.text}</span>,
  )
}
