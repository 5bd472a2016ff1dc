import { cut } from './show-value.ts'

/** Explains why a name is not a valid path below a folder on all systems; undefined if it is. */
export function explainBadName(name: string): string | undefined {
  const parts = name.split(/[/\\]/)
  const isOdd = parts.some((part) => part.trim() === '' || /^\.\.?$|[:*?"<>|]|\p{Cc}/u.test(part))
  if (!isOdd) return undefined
  return `\`${cut(name, 100)}\` is not a valid file name inside the folder: use a relative path with \`/\`, without \`..\`, a drive letter or a leading \`/\``
}
