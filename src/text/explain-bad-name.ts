import { cut } from './show-value.ts'

/** Explains why a name cannot be that of a file below a folder; undefined if it can on every system. */
export function explainBadName(name: string): string | undefined {
  const parts = name.split(/[/\\]/)
  const isOdd = parts.some((part) => part.trim() === '' || /^\.\.?$|[:*?"<>|]|\p{Cc}/u.test(part))
  if (!isOdd) return undefined
  return `\`${cut(name, 100)}\` is not a valid file name inside the folder: use a relative path with \`/\`, without \`..\`, a drive letter or a leading \`/\``
}
