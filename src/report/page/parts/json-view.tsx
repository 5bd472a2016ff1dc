import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { CopyButton } from './copy-button.tsx'
import { showValue } from '../state/format.ts'
import { tokenise } from '../state/highlight.ts'

const linesAtOnce = 400

/** A JSON value or a text, coloured, with a button to copy it; long ones start shortened. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  const text = showValue(value)
  return <CodeView text={text} label={label} json={typeof value !== 'string'} />
}

/** A block of plain or JSON text. */
export function CodeView({ text, label, json = false }: { text: string; label: string; json?: boolean }) {
  return (
    <Block text={text} label={label}>
      {(lines) => {
        const shown = lines.join('\n')
        return json
          ? tokenise(shown).map((token) =>
              token.kind === 'plain' ? token.text : <span class={`t-${token.kind}`}>{token.text}</span>,
            )
          : shown
      }}
    </Block>
  )
}

type SourceProps = {
  text: string
  label: string
  firstLine?: number
  /** Numbers of lines that something is wrong with. */
  marked?: readonly number[]
}

/** Lines of a suite file with their numbers. */
export function SourceView({ text, label, firstLine = 1, marked = [] }: SourceProps) {
  return (
    <Block text={text} label={label}>
      {(lines) =>
        lines.map((line, index) => {
          const number = firstLine + index
          const Tag = marked.includes(number) ? 'mark' : 'span'
          return (
            <Tag class="line" data-line={number}>
              {line || ' '}
            </Tag>
          )
        })
      }
    </Block>
  )
}

type BlockProps = { text: string; label: string; children: (lines: readonly string[]) => ComponentChildren }

/** Room for a text that can be copied; a long one starts shortened. */
function Block({ text, label, children }: BlockProps) {
  const [all, setAll] = useState(false)
  const lines = text.split('\n')
  const short = !all && lines.length > linesAtOnce
  return (
    <div class="code">
      <pre tabIndex={0} aria-label={label}>
        {children(short ? lines.slice(0, linesAtOnce) : lines)}
      </pre>
      <CopyButton text={text} label={label} />
      {short && (
        <button type="button" class="more" onClick={() => setAll(true)}>
          Show all {lines.length.toLocaleString('en')} lines
        </button>
      )}
    </div>
  )
}
