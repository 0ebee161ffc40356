import { fileSize, formatSize, isImage, storedFileOf } from '@waystation/protocol/session/stored-file.ts'
import { type ReactNode, useState } from 'react'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { DownloadIcon } from '#components/ui/icons.tsx'
import { useFileSource } from './use-file-source.ts'

/** The fields of a message's file that are needed to show it. */
export type ShownFile = {
  mediaType: string
  filename?: string | undefined
  url: string
  providerMetadata?: unknown
}

/** The attachments of a message, below its text. */
export const MessageFiles = ({ children }: { children: ReactNode }) => (
  <div className="mt-1 flex flex-wrap items-start gap-x-4 gap-y-2 empty:hidden">{children}</div>
)

/** Shows an image as a preview that links to its full size, and any other file as a row. */
export const MessageFile = ({ part }: { part: ShownFile }) =>
  isImage(part.mediaType) ? <Picture part={part} /> : <FileRow part={part} />

/** The height is fixed, so that nothing moves when the image is loaded. */
function Picture({ part }: { part: ShownFile }) {
  const source = useFileSource(part.url, true)
  const [broken, setBroken] = useState(false)
  const name = part.filename ?? 'An image'
  if (broken || source === null)
    return <p className="text-ui text-muted [overflow-wrap:anywhere]">{name} can't be shown.</p>
  // Browsers do not open a data: URL in a new tab.
  const address = part.url.startsWith('data:') ? undefined : source
  const image =
    source === undefined ? null : (
      // biome-ignore lint/performance/noImgElement: a user's file, also shown without Next.js
      <img
        src={source}
        alt={name}
        loading="lazy"
        decoding="async"
        onError={() => setBroken(true)}
        className="max-h-40 max-w-full rounded-sm border object-contain"
      />
    )
  return (
    <div data-hook="attached-image" className="h-40 max-w-full">
      {address === undefined ? (
        image
      ) : (
        <a
          href={address}
          target="_blank"
          rel="noopener noreferrer"
          title={`${name}: open full size in a new tab`}
          className="inline-block max-w-full"
        >
          {image}
        </a>
      )}
    </div>
  )
}

function FileRow({ part }: { part: ShownFile }) {
  const { store } = useSessionContext()
  const [failed, setFailed] = useState(false)
  const source = useFileSource(part.url, false)
  const name = part.filename ?? `file (${part.mediaType})`
  const size = fileSize(part)
  const facts = [part.mediaType, ...(size === undefined ? [] : [formatSize(size)])].join(', ')
  const isFetched = store.needsCredential && storedFileOf(part) !== undefined
  const save = async () => {
    const bytes = await store.readFile(part.url)
    setFailed(bytes === undefined)
    if (bytes === undefined) return
    const link = Object.assign(document.createElement('a'), {
      href: URL.createObjectURL(bytes),
      download: name
    })
    link.click()
    URL.revokeObjectURL(link.href)
  }
  const inside = (
    <>
      <DownloadIcon />
      <span className="min-w-0 truncate">{name}</span>
    </>
  )
  const look = 'tap inline-flex min-w-0 items-center gap-2 underline decoration-rail underline-offset-3'
  return (
    <p data-hook="attached-file" className="flex w-full min-w-0 flex-wrap items-center gap-x-3">
      {isFetched ? (
        <button type="button" onClick={() => void save()} className={look}>
          {inside}
        </button>
      ) : (
        <a
          href={source ?? undefined}
          download={part.filename ?? true}
          rel="noopener noreferrer"
          className={look}
        >
          {inside}
        </a>
      )}
      <span className="text-ui text-muted">{failed ? 'Download failed. Try again.' : facts}</span>
    </p>
  )
}
