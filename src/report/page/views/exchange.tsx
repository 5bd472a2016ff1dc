import type { Json } from '../../../json.ts'
import type { RequestDetails, ResponseDetails, StepResult } from '../../../run/result.ts'
import { formatBytes } from '../../../text/units.ts'
import { Fold } from './parts.tsx'
import { CopyButton, Recorded, Value } from './values.tsx'

export function ExchangeView({ step }: { step: StepResult }) {
  const { request_details: request, response_details: response } = step
  if (!request) return null
  return (
    <div class="exchange">
      <section class="panel">
        <h3>Request {request.curl_command && <CopyButton text={request.curl_command} label="curl" />}</h3>
        <Message message={request} label="request body" />
      </section>
      {response ? (
        <section class="panel">
          <h3>
            Response <b class={colourOf(response.status_code)}>{response.status_code}</b>{' '}
            <small>{`${readType(response)} ${formatBytes(response.size_bytes)}`}</small>
          </h3>
          <Message message={response} label="response body" />
        </section>
      ) : (
        <p class="panel muted">No response.</p>
      )}
    </div>
  )
}

/** The colour of a status code, by its class and not by what the checks expect. */
export function colourOf(status: number): string {
  return status >= 500 ? 'failure' : status >= 400 ? 'flaky' : 'success'
}

type Message = Partial<Omit<RequestDetails, 'headers'> & ResponseDetails>

function Message({ message, label }: { message: Message; label: string }) {
  const { body = '', headers } = message
  const isEmpty = body === ''
  return (
    <>
      {isEmpty ? <p class="muted">No body.</p> : <Body body={body} type={readType(message)} label={label} />}
      <Recorded title="Headers" value={headers} open={isEmpty} />
      <Recorded title="Query" value={message.params} open />
      <Recorded title="curl command" value={message.curl_command} />
      <Recorded title="Raw request" value={message.raw_request} />
      <Recorded title="Raw response" value={message.raw_response} />
    </>
  )
}

function readType({ headers = {} }: Message): string {
  const [, type] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? []
  return String(type ?? '')
}

/** A body as browsers show it: images at once, HTML on request, other binary data as a file; anything else as text. */
function Body({ body, type, label }: { body: Json; type: string; label: string }) {
  const text = typeof body === 'string' ? body : ''
  const media = /^data:([^;,]*)[^,]*;base64,/.exec(text)?.[1]
  if (media !== undefined)
    return (
      <>
        {media.startsWith('image/') && <img src={text} alt="The body" />}
        <p>
          <a href={text} download="body">{`Download ${media}`}</a>
        </p>
      </>
    )
  return (
    <>
      {text && /^text\/html\b/i.test(type) && (
        <Fold title="Show as a page">
          <iframe title="Body as a page" sandbox="" srcdoc={text} width="100%" height="420" />
        </Fold>
      )}
      <Value value={body} label={label} />
    </>
  )
}
