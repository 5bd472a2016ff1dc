import { listViews } from './escape-views.ts'
import { createTextMatcher, joinPlace, type Hit } from './text-matcher.ts'

/** Shorter secrets are hidden only under their names: as ordinary text, they would occur everywhere. */
const shortestSearched = 4

/** So many characters are enough to find a secret that was cut. */
const shortestHead = 12

// A shorter secret has so short a base64 core that it would match by chance.
const shortestEncoded = 5
const shortestLine = 12

// Shorter secrets in lower case would be ordinary words.
const shortestLowered = 8

// A server may call a whole file a token. Longer secrets are searched in parts, which takes less memory.
const longestWhole = 8192
const longestSearched = 262_144

/** Common starts of secrets, not secret themselves: an authentication scheme, or the host of a URL. */
const commonStart = /^(?:(?:bearer|basic|digest|token|apikey)\s+|[a-z][a-z\d+.-]*:\/\/(?:[^/?#@]*\/)?)/i

/** A secret, the name it was under, and the length of what is public at its start: the name of a cookie, a scheme. */
export type Secret = readonly [secret: string, name?: string, open?: number]

/** Knows secrets and finds them in texts. */
export type SecretSearch = ReturnType<typeof createSecretSearch>

/** The characters with which escapes start. */
const escaped = /[%\\&+]/

/** Secrets of only these characters are normally not escaped. */
const plainSecret = /^[\w.~-]*$/

/** An escape. Around a secret that holds one, escapes must be undone without undoing that one. */
const holdsEscape = /%(?:%|[\da-f]{2})|&[#\w]+;|\\./i

/** Escapes of characters in `plainSecret` or that start escapes. Without one, a text hides no plain secret. */
const plainEscape =
  /(?:%|\\x|\\u00)(?:2[3-6de]|3[\db]|4[1-9a-f]|5[\dacf]|6[1-9a-f]|7[\dae])|&(?:#|amp;)|\\[0-7]{3}|\\u\{|\\[.-]/i

/**
 * Creates a search to which secrets can be added at any time. It takes linear time, and finds secrets as they are, trimmed, by
 * their long lines, in lower case, in base64 and base64url at any offset, and behind the escapes that `listViews` undoes.
 */
export function createSecretSearch() {
  const known = new Map<string, Secret>()
  const added: Secret[] = []
  const matcher = createTextMatcher()
  let holdsSpaces = false
  let holdsNumbers = false
  let areAllPlain = true
  let isApart = false

  function addForms(secret: string, named: number): void {
    const views = [secret, ...listUnescaped(secret)].filter((view) => view.includes('\n'))
    const lines = views.flatMap((view) => view.split(/\r?\n/)).map((line) => line.trim())
    const long = lines.filter((line) => line.length >= shortestLine)
    for (const text of new Set([secret, secret.trim(), ...long])) {
      const open = named || (commonStart.exec(text)?.[0].length ?? 0)
      // A short cookie or parameter ends the head.
      const end = named ? open + 1 + text.slice(open + 1).search(/[;,"]|$/) : text.length
      const head = Math.min(open + shortestHead, Math.max(end, shortestHead))
      const unescaped = listUnescaped(text)
      // An unescaped form is shorter, and so is its head.
      for (const form of [...listPlainForms(text), ...unescaped])
        matcher.add(form, Math.max(8, Math.min(head, open + 4), head - text.length + form.length))
      for (const form of [text, ...unescaped].flatMap(listBase64Forms))
        matcher.add(form, Math.floor((head * 4) / 3))
      for (const form of listCutForms(text, open, end)) matcher.add(form)
    }
  }

  return {
    /** All secrets by their values. */
    known: known as ReadonlyMap<string, Secret>,
    /** Those added since the last call. */
    takeNew: () => added.splice(0),
    /** True if a number can be a secret. */
    get holdsNumbers() {
      return holdsNumbers
    },
    /** Adds a secret. Ignores known secrets and those too short to search for. */
    add(...[secret, name = '', open = 0]: Secret): void {
      if (secret.length < shortestSearched || known.has(secret)) return
      known.set(secret, [secret, name, open])
      added.push([secret, name, open])
      holdsSpaces ||= secret.includes(' ')
      areAllPlain &&= plainSecret.test(secret)
      isApart ||= holdsEscape.test(secret)
      holdsNumbers ||= /^[\d.e+-]{4}/i.test(secret.trim())
      for (let at = 0; at < Math.min(secret.length, longestSearched); at += longestWhole)
        addForms(secret.slice(at, at + longestWhole), at === 0 ? open : 0)
    },
    /** The places of all secrets, or their first 12 characters, in any spelling. */
    find(text: string): readonly Hit[] {
      if (known.size === 0 || text.length < shortestSearched) return []
      const places = matcher.find(text)
      if (!(areAllPlain ? plainEscape : escaped).test(text)) return places
      const views = listViews(text, holdsSpaces, isApart)
      for (const { text: read, locate } of views)
        for (const [start, end] of matcher.find(read)) places.push([locate(start), locate(end)])
      const joined: Hit[] = []
      for (const [start, end] of places.sort(([one], [other]) => one - other)) joinPlace(joined, start, end)
      return joined
    },
  }
}

/** Creates a search for the given secrets. */
export function searchFor(secrets: Iterable<string | Secret>): SecretSearch {
  const search = createSecretSearch()
  for (const secret of secrets) search.add(...(typeof secret === 'string' ? ([secret] as const) : secret))
  return search
}

function listUnescaped(text: string): string[] {
  return plainSecret.test(text) ? [] : listViews(text.toWellFormed(), true).map((view) => view.text)
}

/** The text as it is, in lower case as in hosts, and with its quotes doubled as in YAML. */
function listPlainForms(text: string): string[] {
  const lowered = text.length >= shortestLowered ? [text.toLowerCase()] : []
  return [text, text.toWellFormed(), ...lowered, text.replaceAll("'", "''")]
}

/** The forms of a secret that previews cut before its head ends: at least half of what `open` and `end` enclose, and `…`. */
function listCutForms(text: string, open: number, end: number): string[] {
  const least = Math.max(shortestSearched, open + Math.ceil((end - open) / 2))
  const count = Math.min(text.length, open + shortestHead) - least
  return Array.from({ length: Math.max(0, count) }, (_, index) => `${text.slice(0, least + index)}…`)
}

/** Base64 depends on a text's offset modulo 3; characters that it shares with neighbours are left out. */
function listBase64Forms(text: string): string[] {
  if (text.length < shortestEncoded) return []
  const forms = encodeBase64(text, 'utf8')
  // `btoa` and headers encode latin-1; what is escaped in JSON is encoded with its escapes.
  if (/[\x80-\xff]/.test(text)) forms.push(...encodeBase64(text, 'latin1'))
  const json = JSON.stringify(text).slice(1, -1)
  if (json !== text) forms.push(...encodeBase64(json, 'utf8'))
  return forms
}

function encodeBase64(text: string, encoding: 'utf8' | 'latin1'): string[] {
  const bytes = Buffer.from(`\0\0${text}`, encoding)
  return [0, 1, 2].flatMap((before) => {
    const encoded = bytes.toString('base64', 2 - before)
    const core = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length - 2) * 8) / 6))
    return /[+/]/.test(core) ? [core, core.replaceAll('+', '-').replaceAll('/', '_')] : [core]
  })
}
