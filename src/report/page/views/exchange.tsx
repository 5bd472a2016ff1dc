import { useState } from 'preact/hooks'
import type { Json } from '../../../json.ts'
import type { RequestDetails, ResponseDetails, StepResult } from '../../../run/result.ts'
import { formatBytes } from '../../../text/units.ts'
import { Code, CopyButton, Fold, Pairs, Value } from './parts.tsx'

/** What was sent and what came back, side by side. */
export function Exchange({ step }: { step: StepResult }) {
  const { request_details: request, response_details: response } = step
  if (!request) return null
  return (
    <div class="exchange">
      <section class="panel">
        <h3>Request {request.curl_command && <CopyButton text={request.curl_command} label="curl" />}</h3>
        <Message name="request" message={request} />
        {request.params && (
          <Fold title="Query" open>
            <Pairs pairs={request.params} />
          </Fold>
        )}
        <RawText title="curl command" text={request.curl_command} />
        <RawText title="Raw request" text={request.raw_request} />
      </section>
      {response ? (
        <section class="panel">
          <h3>
            Response <b class={colourOf(response.status_code)}>{response.status_code}</b>{' '}
            <small>
              {readType(response)} {formatBytes(response.size_bytes)}
            </small>
          </h3>
          <Message name="response" message={response} />
          <RawText title="Raw response" text={response.raw_response} />
        </section>
      ) : (
        <p class="panel muted">No answer came.</p>
      )}
    </div>
  )
}

function colourOf(status: number): string {
  return status >= 500 ? 'failure' : status >= 400 ? 'flaky' : 'success'
}

function Message({ name, message }: { name: string; message: RequestDetails | ResponseDetails }) {
  const { body, headers } = message
  const isEmpty = body === undefined || body === null || body === ''
  return (
    <>
      {isEmpty ? (
        <p class="muted">No body.</p>
      ) : (
        <Body body={body} type={readType(message)} label={`${name} body`} />
      )}
      <Fold title="Headers" open={isEmpty}>
        <Pairs pairs={headers} />
      </Fold>
    </>
  )
}

/** A text to be copied; nothing where there is none, as of a WebSocket. */
function RawText({ title, text }: { title: string; text: string | undefined }) {
  if (!text) return null
  return (
    <Fold title={title}>
      <Code text={text} label={title.toLowerCase()} />
    </Fold>
  )
}

function readType({ headers }: RequestDetails | ResponseDetails): string {
  const [, type] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? []
  return String(type ?? '')
}

/** A body as one would see it elsewhere: images at once, PDF and HTML on request, other bytes as a file; else as text. */
function Body({ body, type, label }: { body: Json; type: string; label: string }) {
  const [uri, media] = (typeof body === 'string' && /^data:([^;,]*)[^,]*;base64,[^]*/.exec(body)) || []
  if (uri !== undefined)
    return (
      <>
        {media?.startsWith('image/') && <img src={uri} alt="The body" />}
        {media === 'application/pdf' && (
          <Fold title="Show the PDF">
            <Pdf uri={uri} />
          </Fold>
        )}
        <p>
          <a href={uri} download="body">
            Download {media}
          </a>
        </p>
      </>
    )
  return (
    <>
      {typeof body === 'string' && /^text\/html\b/i.test(type) && (
        <Fold title="Show as a page">
          <iframe title="Body as a page" sandbox="" srcdoc={body} />
        </Fold>
      )}
      <Value value={body} label={label} />
    </>
  )
}

/** Browsers show a PDF in a frame only when it has an address of its own, which it has as long as the page is open. */
function Pdf({ uri }: { uri: string }) {
  const [address] = useState(() => {
    const bytes = Uint8Array.from(atob(uri.slice(uri.indexOf(',') + 1)), (char) => char.charCodeAt(0))
    return URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }))
  })
  return <iframe title="Body as PDF" src={address} />
}
