import { Status, useFirst } from '../parts/parts.tsx'
import { isStep, type Entry, type Kind } from '../state/data.ts'

type EntriesProps = {
  title: string
  /** How many there are, when an entry can stand for several, or what is said of all. */
  note?: string | number
  items: readonly { entry: Entry; kind: Kind; text: string | undefined }[]
  /** Leaves out where they are. */
  isBrief?: boolean
}

/** Steps and suites with what is to be said of each; nothing when there are none. */
export function Entries({ title, items, note = items.length, isBrief }: EntriesProps) {
  const [shown, rest] = useFirst(items, 20)
  if (note === 0) return null
  return (
    <section>
      <h2>
        {title} <small>{note.toLocaleString('en')}</small>
      </h2>
      {items.length > 0 && (
        <ul class="entries">
          {shown.map(({ entry, kind, text }) => (
            <li>
              <a href={entry.hash}>
                <Status kind={kind} />
                <span>
                  <b>{entry.name}</b> {isBrief ? <small>{text}</small> : <Where entry={entry} />}
                  {!isBrief && <span class="why">{text}</span>}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
      {rest}
    </section>
  )
}

function Where({ entry }: { entry: Entry }) {
  const { file_path } = entry.suite
  if (!isStep(entry)) return <small class="file">{file_path}</small>
  const line = entry.failed_line ?? entry.line
  return (
    <>
      <small>{entry.suite.name}</small>
      <small class="file">{line === undefined ? file_path : `${file_path}:${line}`}</small>
    </>
  )
}
