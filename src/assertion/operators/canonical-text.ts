import type { Json } from '../../json.ts'

type Part = { text: string } | { value: Json }

/** Writes a value as text that is the same for equal values (keys sorted, `-0` as `0`); iterates, so any depth is fine. */
export function canonicalText(value: Json): string {
  const done: string[] = []
  const pending: Part[] = [{ value }]
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if ('text' in part) done.push(part.text)
    else if (typeof part.value !== 'object' || part.value === null)
      done.push(part.value === 0 ? '0' : JSON.stringify(part.value))
    else {
      const inner = openValue(part.value)
      for (let index = inner.length - 1; index >= 0; index -= 1) pending.push(inner[index] as Part)
    }
  }
  return done.join('')
}

function openValue(value: Json[] | { [key: string]: Json }): Part[] {
  if (Array.isArray(value))
    return [{ text: '[' }, ...value.flatMap((item) => [{ value: item }, { text: ',' }]), { text: ']' }]
  const fields = Object.keys(value)
    .sort()
    .flatMap((key) => [{ text: `${JSON.stringify(key)}:` }, { value: value[key] as Json }, { text: ',' }])
  return [{ text: '{' }, ...fields, { text: '}' }]
}
