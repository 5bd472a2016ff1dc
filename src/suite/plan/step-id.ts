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
