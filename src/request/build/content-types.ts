const types = new Map(
  Object.entries({
    avif: 'image/avif',
    css: 'text/css; charset=utf-8',
    csv: 'text/csv; charset=utf-8',
    gif: 'image/gif',
    gz: 'application/gzip',
    htm: 'text/html; charset=utf-8',
    html: 'text/html; charset=utf-8',
    ico: 'image/vnd.microsoft.icon',
    jpeg: 'image/jpeg',
    jpg: 'image/jpeg',
    js: 'text/javascript; charset=utf-8',
    json: 'application/json',
    jsonl: 'application/jsonl',
    md: 'text/markdown; charset=utf-8',
    mjs: 'text/javascript; charset=utf-8',
    mp3: 'audio/mpeg',
    mp4: 'video/mp4',
    ndjson: 'application/x-ndjson',
    pdf: 'application/pdf',
    png: 'image/png',
    svg: 'image/svg+xml',
    tar: 'application/x-tar',
    txt: 'text/plain; charset=utf-8',
    wasm: 'application/wasm',
    webp: 'image/webp',
    xml: 'application/xml',
    yaml: 'application/yaml',
    yml: 'application/yaml',
    zip: 'application/zip',
  }),
)

/** Content type by file extension, `application/octet-stream` when it is not known. */
export function guessContentType(path: string): string {
  const extension = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase()
  return types.get(extension ?? '') ?? 'application/octet-stream'
}
