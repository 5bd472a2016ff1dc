import { quotePrintf } from './quote-shell.ts'

/** Secrets shorter than this are hidden under their own names only: searching for them would blot out ordinary text. */
export const shortestSearched = 4

// Below this a base64 core would be so short that it matches by chance.
const shortestEncoded = 5
const shortestLine = 12

// A server can call a whole file a token; in parts it does not multiply in memory.
const longestWhole = 8192
const longestSearched = 262_144

/**
 * Lists the spellings under which a secret can turn up in a text: as it is, trimmed, its long lines, JSON-escaped up to
 * four times, URL- and form-encoded with either case of hex digits, escaped for a POSIX shell, YAML, XML, and base64 and base64url
 * at each of the three alignments. Spellings shorter than 4 characters are left out. Long secrets are listed in parts, as far
 * as reports keep texts at all.
 */
export function listSecretForms(secret: string): string[] {
  if (secret.length > longestWhole) return splitLong(secret).flatMap(listSecretForms)
  const plain = new Set([secret, secret.trim(), ...listLongLines(secret)])
  const forms = new Set(plain)
  for (const text of plain) {
    for (const form of [...escapedForms(text), ...urlForms(text), ...base64Forms(text)]) forms.add(form)
  }
  const inShell = [...forms].map((form) => form.replaceAll("'", "'\\''"))
  return [...forms, ...inShell].filter((form) => form.length >= shortestSearched)
}

function splitLong(secret: string): string[] {
  const length = Math.min(secret.length, longestSearched)
  return Array.from({ length: Math.ceil(length / longestWhole) }, (_, part) =>
    secret.slice(part * longestWhole, (part + 1) * longestWhole),
  )
}

function listLongLines(secret: string): string[] {
  const lines = secret.split(/\r?\n/)
  return lines.length === 1
    ? []
    : lines.map((line) => line.trim()).filter((line) => line.length >= shortestLine)
}

function escapedForms(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1)
  const ascii = json.replaceAll(
    /[^\0-~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const xml = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return [
    json,
    json.replaceAll('/', '\\/'),
    ...[2, 3, 4].map((times) => escapeJson(text, times)),
    ascii,
    ascii.replaceAll(/\\u[0-9a-f]{4}/g, (escape) => `\\u${escape.slice(2).toUpperCase()}`),
    json.replaceAll('<', '\\u003c'),
    printfForm(text),
    printfForm(json),
    text.replaceAll("'", "''"),
    text.replaceAll("'", "\\'"),
    xml,
    xml.replaceAll('"', '&quot;'),
    xml.replaceAll('"', '&quot;').replaceAll("'", '&apos;'),
    xml.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
  ]
}

/** As curl lines pipe in what cannot be typed; the letter in front stands for the text before. */
function printfForm(text: string): string {
  return quotePrintf(Buffer.from(`x${text}`)).slice(2, -1)
}

/** Texts within texts within JSON: an echo of a webhook's payload has four layers of escapes. */
function escapeJson(text: string, times: number): string {
  return times === 0 ? text : escapeJson(JSON.stringify(text).slice(1, -1), times - 1)
}

function urlForms(secret: string): string[] {
  const text = secret.toWellFormed()
  const component = encodeURIComponent(text)
  const strict = component.replaceAll(
    /[!'()*~]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  const form = new URLSearchParams([['', text]]).toString().slice(1)
  const query = new URL(`http://x/?${text.replaceAll('#', '%23')}`).search.slice(1)
  const path = new URL(`http://x/`)
  path.pathname = text
  // What a percent view shows: escapes of ASCII undone, the others not.
  const mixed = text.replaceAll(/[^\0-~]+/g, encodeURIComponent)
  const forms = [component, strict, form, query, mixed, encodeURI(text), path.pathname.slice(1)]
  return forms.flatMap((one) => [one, one.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase())])
}

/** Inside longer base64 text the secret's characters depend on its offset modulo 3; those it shares with its neighbours are left out. */
function base64Forms(text: string): string[] {
  if (text.length < shortestEncoded) return []
  // What `btoa` and headers encode is latin-1.
  const encodings = /[\x80-\xff]/.test(text) ? (['utf8', 'latin1'] as const) : (['utf8'] as const)
  return encodings.flatMap((encoding) => encodeBase64(Buffer.from(text, encoding)))
}

function encodeBase64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const core = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
    return [core, core.replaceAll('+', '-').replaceAll('/', '_'), encodeURIComponent(core)]
  })
}
