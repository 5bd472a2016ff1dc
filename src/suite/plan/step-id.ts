/** `step-<n>-<slug>` (n from 1), `setup-…` and `teardown-…` for steps of those lists; without a hyphen at its end. */
export function makeStepId(number: number, name: string, phase = 'step'): string {
  return `${phase}-${number}-${slugify(name)}`.replace(/-$/, '')
}

/** Lower-case with each run of other characters than a–z and 0–9 replaced by a hyphen, none at the ends. */
export function slugify(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
