/** Writes a number of bytes for people: `512 B`, `64 KiB`, `19.1 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const unit = bytes < 1024 ** 2 ? 'KiB' : bytes < 1024 ** 3 ? 'MiB' : 'GiB'
  const value = bytes / 1024 ** (['KiB', 'MiB', 'GiB'].indexOf(unit) + 1)
  return `${value % 1 === 0 ? value : value.toFixed(1)} ${unit}`
}
