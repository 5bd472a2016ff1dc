import { mapLeaves, type Json } from '../../json.ts'

const START = /\$js(?<=\{\{\s*\$js)[.:](?:\s*return\s)?/g

/** Writes `{{$js.code}}`, `{{$js:code}}` and `{{$js.return code}}` as `{{js: code}}`, as long as before: all that follows stays at its place. */
export function writeTemplates(value: Json): Json {
  return mapLeaves(value, (leaf) =>
    typeof leaf === 'string' ? leaf.replaceAll(START, (start) => 'js:'.padEnd(start.length)) : leaf,
  )
}
