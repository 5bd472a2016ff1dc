import type { Json } from '../../../json.ts'
import type { RequestDetails, ResponseDetails } from '../../../run/result.ts'
import { formatBytes } from '../../../text/format-bytes.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Code, JsonView } from '../parts/code.tsx'
import { Fold, Pairs } from '../parts/parts.tsx'
import { Preview } from '../parts/preview.tsx'

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
