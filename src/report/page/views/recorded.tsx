import { isJsonObject } from '../../../json.ts'
import { formatMs } from '../../../text/units.ts'
import { showValue } from '../state/text.ts'
import { Value } from './code.tsx'
import { Fold, Status, useFirst } from './parts.tsx'

type RecordedProps = {
  title: string
  note?: string | undefined
  value: object | string | undefined
  open?: boolean
}

/** What was recorded, folded: a text to be copied, a map as pairs, a list as rows; nothing when there is nothing. */
export function Recorded({ title, note, value = '', open = false }: RecordedProps) {
  const count = Object.keys(value).length
  if (count === 0) return null
  const isText = typeof value === 'string'
  const List = Array.isArray(value) ? Rows : Pairs
  return (
    <Fold title={title} note={note ?? (isText ? undefined : String(count))} open={open}>
      {isText ? <Value value={value} label={title} /> : <List label={title} value={value} />}
    </Fold>
  )
}

/** Names and values, such as headers or variables. */
export function Pairs({ label, value }: { label: string; value: object }) {
  return (
    <dl class="pairs" aria-label={label}>
      {Object.entries(value).map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{showValue(value)}</dd>
        </>
      ))}
    </dl>
  )
}

function Rows({ label, value }: { label: string; value: object }) {
  const [shown, rest] = useFirst(Object.values(value) as unknown[])
  return (
    <>
      <ol class="rows" aria-label={label}>
        {shown.map((item) => (
          <li>{isJsonObject(item) ? <Row item={item} /> : showValue(item)}</li>
        ))}
      </ol>
      {rest}
    </>
  )
}

/** Characters of a value that is shown beside others. */
const longest = 120

/** One of the things that happened, such as an attempt, an event or a call: when or how long, what became of it, all that is short; bodies when it is opened. */
function Row({ item }: { item: Record<string, unknown> }) {
  const { at_ms, duration_ms, status, start_time: _start, ...members } = item
  const { outcome = status, status_code } = members
  const ms = at_ms ?? duration_ms
  const isGood =
    outcome === undefined ? Number(status_code) < 400 : outcome === 'success' || outcome === 'mocked'
  const kind = isGood ? 'success' : outcome === 'passed_through' ? 'warning' : 'failure'
  const parts = Object.entries(members).map(([key, value]) => {
    const text = showValue(value).replaceAll(/\s+/g, ' ')
    return { name: key.replaceAll('_', ' '), value, text, isShort: text.length <= longest }
  })
  const short = parts.filter(({ isShort }) => isShort)
  const bodies = parts.filter(({ value, isShort }) => !isShort || typeof value === 'object')
  const line = (
    <>
      {typeof ms === 'number' && <small>{formatMs(ms)} </small>}
      {(outcome ?? status_code) !== undefined && <Status kind={kind} />}
      {short.map(({ name, text }) => (
        <>
          {' '}
          <small>{name}</small> <code>{text}</code>
        </>
      ))}
    </>
  )
  if (bodies.length === 0) return line
  return (
    <Fold title={line}>
      {bodies.map(({ name, value }) => (
        <>
          <h4>{name}</h4>
          <Value value={value} label={name} />
        </>
      ))}
    </Fold>
  )
}
