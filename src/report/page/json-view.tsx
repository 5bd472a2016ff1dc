import { useState } from 'preact/hooks'
import { CopyButton } from './copy-button.tsx'
import { showValue } from './format.ts'
import { tokenise } from './highlight.ts'

const linesAtOnce = 400

/** A JSON value or a text, coloured, with a button to copy it; long ones start shortened. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  const text = showValue(value)
  return <CodeView text={text} label={label} json={typeof value !== 'string'} />
}

type CodeProps = {
  text: string
  label: string
  json?: boolean
  /** Number of the first line, to show numbers. */
  firstLine?: number
}

/** A block of source text. */
export function CodeView({ text, label, json = false, firstLine }: CodeProps) {
  const [all, setAll] = useState(false)
  const lines = text.split('\n')
  const short = !all && lines.length > linesAtOnce
  const shown = short ? lines.slice(0, linesAtOnce).join('\n') : text
  return (
    <div class={firstLine === undefined ? 'code' : 'code numbered'}>
      <pre tabIndex={0} aria-label={label}>
        {firstLine !== undefined && (
          <span class="numbers" aria-hidden="true">
            {lines.slice(0, short ? linesAtOnce : lines.length).map((_, index) => `${firstLine + index}\n`)}
          </span>
        )}
        {json
          ? tokenise(shown).map((token) =>
              token.kind === 'plain' ? token.text : <span class={`t-${token.kind}`}>{token.text}</span>,
            )
          : shown}
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
