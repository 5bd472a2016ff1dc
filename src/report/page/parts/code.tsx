import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { CopyButton } from './copy-button.tsx'
import { showValue } from '../state/format.ts'
import { tokenise } from '../state/highlight.ts'

const linesAtOnce = 400

type CodeProps = { text: string; label: string; language?: 'json' | 'yaml' }

/** A JSON value or a text, coloured, with a button to copy it; long ones start shortened. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  const text = showValue(value)
  return <Code text={text} label={label} {...(typeof value !== 'string' && { language: 'json' })} />
}

/** A block of text. */
export function Code({ text, label, language }: CodeProps) {
  return (
    <Block text={text} label={label}>
      {(lines) => colour(lines.join('\n'), language)}
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
              {colour(line || ' ', 'yaml')}
            </Tag>
          )
        })
      }
    </Block>
  )
}

function colour(text: string, language: CodeProps['language']): ComponentChildren {
  if (language === undefined) return text
  return tokenise(text, language).map((token) =>
    token.kind === 'plain' ? token.text : <span class={`t-${token.kind}`}>{token.text}</span>,
  )
}

type BlockProps = { text: string; label: string; children: (lines: readonly string[]) => ComponentChildren }

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
