import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

type Props = { text: string; type: string; children: ComponentChildren }

/** A body as one would see it elsewhere: images at once, PDF and HTML on request, other bytes as a file; else what is given as children. */
export function Preview({ text, type, children }: Props) {
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
