import type { Json } from '../../../json.ts'
import type { RequestDetails, ResponseDetails } from '../../../run/result.ts'
import { formatBytes } from '../../../text/units.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Code, JsonView } from '../parts/code.tsx'
import { Fold, Pairs } from '../parts/parts.tsx'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** What was sent and what came back, side by side. */
export function Exchange({
  request,
  response,
}: {
  request?: RequestDetails | undefined
  response?: ResponseDetails | undefined
}) {
  if (!request) return null
  return (
    <div class="exchange">
      <RequestPart request={request} />
      {response ? <ResponsePart response={response} /> : <p class="panel muted">No answer came.</p>}
    </div>
  )
}

function RequestPart({ request }: { request: RequestDetails }) {
  const { body, curl_command: curl = '' } = request
  return (
    <section class="panel">
      <h3>
        Request <CopyButton text={curl} label="curl" /> <CopyButton text={request.full_url} label="URL" />
      </h3>
      <Body body={body} headers={request.headers} label="request body" />
      {request.params && (
        <Fold title="Query" open>
          <Pairs pairs={request.params} />
        </Fold>
      )}
      <Fold title="Headers" open={isEmpty(body)}>
        <Pairs pairs={request.headers} />
      </Fold>
      <Fold title="curl">
        <Code text={curl} label="curl command" />
      </Fold>
      <Fold title="Raw">
        <Code text={request.raw_request ?? ''} label="raw request" />
      </Fold>
    </section>
  )
}

function ResponsePart({ response }: { response: ResponseDetails }) {
  const { status_code, headers, body, size_bytes, raw_response } = response
  const tone = status_code >= 500 ? 'failure' : status_code >= 400 ? 'flaky' : 'success'
  return (
    <section class="panel">
      <h3>
        Response <b class={`code-number ${tone}`}>{status_code}</b>
        <span class="note">{[readType(headers), formatBytes(size_bytes)].filter(Boolean).join(' · ')}</span>
      </h3>
      <Body body={body} headers={headers} label="response body" />
      <Fold title="Headers" open={isEmpty(body)}>
        <Pairs pairs={headers} />
      </Fold>
      <Fold title="Raw">
        <Code text={raw_response ?? ''} label="raw response" />
      </Fold>
    </section>
  )
}

type BodyProps = { body: Json | undefined; headers: ResponseDetails['headers']; label: string }

function Body({ body, headers, label }: BodyProps) {
  if (isEmpty(body)) return <p class="muted small">No body.</p>
  if (typeof body !== 'string') return <JsonView value={body} label={label} />
  return (
    <Preview text={body} type={readType(headers)}>
      <JsonView value={body} label={label} />
    </Preview>
  )
}

function isEmpty(body: Json | undefined): boolean {
  return body === undefined || body === null || body === ''
}

function readType(headers: ResponseDetails['headers']): string {
  const [, type] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? []
  return String(type ?? '')
}

type PreviewProps = { text: string; type: string; children: ComponentChildren }

/** A body as one would see it elsewhere: images at once, PDF and HTML on request, other bytes as a file; else what is given as children. */
function Preview({ text, type, children }: PreviewProps) {
  const [, media] = /^data:([^;,]*)[^,]*;base64,/.exec(text) ?? []
  if (media !== undefined) return <Bytes uri={text} media={media} />
  if (!/^text\/html\b/i.test(type)) return <>{children}</>
  return (
    <>
      <OnRequest label="Show as a page">
        <iframe title="Body as a page" sandbox="" srcdoc={text} />
      </OnRequest>
      {children}
    </>
  )
}

function Bytes({ uri, media }: { uri: string; media: string }) {
  return (
    <>
      {media.startsWith('image/') && <img class="body-image" src={uri} alt="The body" />}
      {media === 'application/pdf' && (
        <OnRequest label="Show the PDF">
          <Pdf uri={uri} />
        </OnRequest>
      )}
      <p class="muted small">
        {media} ·{' '}
        <a href={uri} download="body">
          Download
        </a>
      </p>
    </>
  )
}

function OnRequest({ label, children }: { label: string; children: ComponentChildren }) {
  const [isShown, show] = useState(false)
  return (
    <>
      <button type="button" class="show" aria-expanded={isShown} onClick={() => show(!isShown)}>
        {isShown ? 'Hide' : label}
      </button>
      {isShown && children}
    </>
  )
}

/** Browsers show a PDF in a frame only when it has an address of its own. */
function Pdf({ uri }: { uri: string }) {
  const [address, setAddress] = useState('')
  useEffect(() => {
    const bytes = Uint8Array.from(atob(uri.slice(uri.indexOf(',') + 1)), (char) => char.charCodeAt(0))
    const made = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [uri])
  return address === '' ? null : <iframe title="Body as PDF" src={address} />
}
