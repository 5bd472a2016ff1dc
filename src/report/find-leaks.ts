import type { Json } from '../json.ts'
import { listSecretForms } from './secret-forms.ts'
import { createTextMatcher } from './text-matcher.ts'

/** A secret that was found in an output, told without the secret. */
export type Leak = { start: number; end: number }

/** Finds places where one of the secrets stands in a text. */
export type LeakFinder = {
  findInText(text: string): Leak[]
  /** Paths (`steps_results[3].request_details.url`) of the strings and keys of a parsed JSON value that hold a secret. */
  findInJson(value: Json): string[]
}

/** Secrets shorter than this are not searched for when reports are checked: they occur by chance. */
export const shortestChecked = 6

/** Prepares the check of finished outputs for secrets of 6 characters or more, in every spelling `listSecretForms` knows. */
export function createLeakFinder(secrets: Iterable<string>): LeakFinder {
  const matcher = createTextMatcher()
  for (const secret of secrets) {
    if (secret.length < shortestChecked) continue
    for (const form of listSecretForms(secret)) if (form.length >= shortestChecked) matcher.add(form)
  }
  const isIn = (text: string): boolean => matcher.find(text).length > 0
  return { findInText: (text) => toLeaks(matcher.find(text)), findInJson: (value) => listPaths(value, isIn) }
}

/** Finds the secrets of 6 characters or more in one text. */
export function findLeaks(text: string, secrets: Iterable<string>): Leak[] {
  return createLeakFinder(secrets).findInText(text)
}

function toLeaks(places: number[]): Leak[] {
  const leaks: Leak[] = []
  for (let index = 0; index < places.length; index += 2) {
    leaks.push({ start: places[index] as number, end: places[index + 1] as number })
  }
  return leaks
}

function listPaths(root: Json, isIn: (text: string) => boolean): string[] {
  const paths: string[] = []
  const pending: [value: Json, path: string][] = [[root, '']]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [value, path] = next
    if (typeof value === 'string' || typeof value === 'number') {
      if (isIn(String(value))) paths.push(path)
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) pending.push([item, `${path}[${index}]`])
    } else if (value !== null && typeof value === 'object') {
      for (const key of Object.keys(value)) {
        // The key itself is not printed when it is what leaks.
        if (isIn(key)) paths.push(`${path} (a key)`)
        pending.push([value[key] as Json, isIn(key) ? `${path}.[redacted]` : path ? `${path}.${key}` : key])
      }
    }
  }
  return paths.toReversed()
}
