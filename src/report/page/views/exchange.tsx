import type { ComponentChildren } from 'preact'
import type { RequestDetails, ResponseDetails } from '../../../run/result.ts'
import { formatBytes } from '../../../text/format-bytes.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { CodeView, JsonView } from '../parts/json-view.tsx'
import { Pairs, Section } from '../parts/parts.tsx'

/** What was sent. */
export function RequestPart({ request }: { request: RequestDetails }) {
  return (
    <Section title="Request" note={`${request.method} ${request.url}`}>
      <div class="tools">
        <CopyButton text={request.curl_command ?? ''} label="curl" />
        <CopyButton text={request.full_url} label="URL" />
      </div>
      {request.body !== undefined && request.body !== null && request.body !== '' && (
        <JsonView value={request.body} label="request body" />
      )}
      {request.params && (
        <Fold title="Query parameters">
          <Pairs pairs={Object.entries(request.params)} empty="None." />
        </Fold>
      )}
      <Fold title="Headers">
        <Pairs pairs={Object.entries(request.headers)} empty="None." />
      </Fold>
      <Fold title="curl">
        <CodeView text={request.curl_command ?? ''} label="curl command" />
      </Fold>
      <Fold title="Raw">
        <CodeView text={request.raw_request ?? ''} label="raw request" />
      </Fold>
    </Section>
  )
}

/** What came back. */
export function ResponsePart({ response }: { response: ResponseDetails }) {
  const type = response.headers['content-type'] ?? response.headers['Content-Type']
  const size = formatBytes(response.size_bytes)
  return (
    <Section
      title="Response"
      note={[response.status_code, typeof type === 'string' ? type : '', size].filter(Boolean).join(' · ')}
    >
      {response.body === '' || response.body === null ? (
        <p class="muted">Empty body.</p>
      ) : (
        <JsonView value={response.body} label="response body" />
      )}
      <Fold title="Headers">
        <Pairs pairs={Object.entries(response.headers)} empty="None." />
      </Fold>
      <Fold title="Raw">
        <CodeView text={response.raw_response ?? ''} label="raw response" />
      </Fold>
    </Section>
  )
}

function Fold({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <details class="fold">
      <summary>{title}</summary>
      {children}
    </details>
  )
}
