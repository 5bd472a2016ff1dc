/** The keys of a suite that hold its steps, in the order in which they run. */
export const stepLists = ['setup', 'steps', 'teardown'] as const

export function isStepList(key: string | number | undefined): boolean {
  return stepLists.some((list) => list === key)
}

/** `step-<n>-<slug>` (n from 1), or `setup-…` and `teardown-…` for steps of those lists; without a trailing hyphen. */
export function makeStepId(number: number, name: string, phase = 'step'): string {
  return `${phase}-${number}-${slugify(name)}`.replace(/-$/, '')
}

/** Makes a slug of a text, however its accents are stored: lower case, a hyphen for each run of characters other than a–z and 0–9, none at the ends. */
export function slugify(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
