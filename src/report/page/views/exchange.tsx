import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Json } from '../../../json.ts'
import type { RequestDetails, ResponseDetails, StepResult } from '../../../run/result.ts'
import { formatBytes } from '../../../text/units.ts'
import { Code, JsonView } from '../parts/code.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Fold, Pairs } from '../parts/parts.tsx'

/** What was sent and what came back, side by side. */
export function Exchange({ step }: { step: StepResult }) {
  const { request_details: request, response_details: response } = step
  if (!request) return null
  const { curl_command: curl = '', raw_request = '' } = request
  return (
    <div class="exchange">
      <Side name="request" message={request} texts={{ 'curl command': curl, 'Raw request': raw_request }}>
        Request <CopyButton text={curl} label="curl" /> <CopyButton text={request.full_url} label="URL" />
      </Side>
      {response ? (
        <Side name="response" message={response} texts={{ 'Raw response': response.raw_response ?? '' }}>
          Response <StatusCode code={response.status_code} />
          <small class="note">
            {[readType(response), formatBytes(response.size_bytes)].filter(Boolean).join(' · ')}
          </small>
        </Side>
      ) : (
        <p class="panel muted">No answer came.</p>
      )}
    </div>
  )
}

function StatusCode({ code }: { code: number }) {
  return <b class={`code-number ${code >= 500 ? 'failure' : code >= 400 ? 'flaky' : 'success'}`}>{code}</b>
}

type Message = RequestDetails | ResponseDetails

type SideProps = {
  name: string
  message: Message
  texts: Record<string, string>
  children: ComponentChildren
}

function Side({ name, message, texts, children }: SideProps) {
  const { body, headers } = message
  const isEmpty = body === undefined || body === null || body === ''
  return (
    <section class="panel">
      <h3>{children}</h3>
      {isEmpty ? (
        <p class="muted small">No body.</p>
      ) : (
        <Body body={body} type={readType(message)} label={`${name} body`} />
      )}
      {'params' in message && (
        <Fold title="Query" open>
          <Pairs pairs={message.params} />
        </Fold>
      )}
      <Fold title="Headers" open={isEmpty}>
        <Pairs pairs={headers} />
      </Fold>
      {Object.entries(texts).map(([title, text]) => (
        <Fold title={title}>
          <Code text={text} label={title.toLowerCase()} />
        </Fold>
      ))}
    </section>
  )
}

function readType({ headers }: Message): string {
  const [, type] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? []
  return String(type ?? '')
}

/** A body as one would see it elsewhere: images at once, PDF and HTML on request, other bytes as a file; else as text. */
function Body({ body, type, label }: { body: Json; type: string; label: string }) {
  const text = <JsonView value={body} label={label} />
  if (typeof body !== 'string') return text
  const [, media] = /^data:([^;,]*)[^,]*;base64,/.exec(body) ?? []
  if (media !== undefined) return <Bytes uri={body} media={media} />
  if (!/^text\/html\b/i.test(type)) return text
  return (
    <>
      <Fold title="Show as a page">
        <iframe title="Body as a page" sandbox="" srcdoc={body} />
      </Fold>
      {text}
    </>
  )
}

function Bytes({ uri, media }: { uri: string; media: string }) {
  return (
    <>
      {media.startsWith('image/') && <img src={uri} alt="The body" />}
      {media === 'application/pdf' && (
        <Fold title="Show the PDF">
          <Pdf uri={uri} />
        </Fold>
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

/** Browsers show a PDF in a frame only when it has an address of its own, which it has as long as the page is open. */
function Pdf({ uri }: { uri: string }) {
  const [address] = useState(() => {
    const bytes = Uint8Array.from(atob(uri.slice(uri.indexOf(',') + 1)), (char) => char.charCodeAt(0))
    return URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }))
  })
  return <iframe title="Body as PDF" src={address} />
}
