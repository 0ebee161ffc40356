import type { AttachmentLimits } from '@waystation/protocol/session/file.ts'
import { fileKind, formatSize, isImage } from '@waystation/protocol/session/stored-file.ts'
import { useFileSource } from '#components/session/content/use-file-source.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { Button, IconButton } from '#components/ui/button.tsx'
import { CloseIcon, FileIcon } from '#components/ui/icons.tsx'
import { type AttachingFile, canTryAgain, detach, previewOf, tryAgain } from './attaching-file.ts'

type AttachmentListProps = { files: readonly AttachingFile[]; attaching: AttachmentLimits }

/** The files attached to the message in the composer, above the message field. */
export function AttachmentList({ files, attaching }: AttachmentListProps) {
  if (files.length === 0) return null
  return (
    <ul aria-label="Attached files" className="flex max-h-40 flex-wrap gap-2 overflow-y-auto pb-2">
      {files.map(file => (
        <Chip key={file.key} file={file} attaching={attaching} />
      ))}
    </ul>
  )
}

function Chip({ file, attaching }: { file: AttachingFile; attaching: AttachmentLimits }) {
  const { store } = useSessionContext()
  const { key, name, size, state, error, tenths } = file
  return (
    <li
      data-hook="attachment"
      data-state={state}
      className="relative flex max-w-full min-w-0 items-center gap-2 overflow-hidden rounded-sm border bg-ground py-1 pl-1"
    >
      <Thumb file={file} />
      <div className="min-w-0">
        <p className="max-w-60 truncate font-semibold">{name}</p>
        <p role="status" className={state === 'failed' ? 'max-w-60 text-fail' : 'text-muted'}>
          {state === 'failed' ? error : `${formatSize(size)}${state === 'uploading' ? ' · uploading…' : ''}`}
        </p>
        {isSeen(file, attaching) || state === 'failed' ? null : (
          <p data-hook="attachment-unseen" className="max-w-60 text-muted">
            The model gets the file name but not the content.
          </p>
        )}
        {canTryAgain(file) ? (
          <Button data-hook="retry-attachment" tone="quiet" onClick={() => tryAgain(store, key)}>
            Try again
          </Button>
        ) : null}
      </div>
      <IconButton data-hook="remove-attachment" label={`Remove ${name}`} onClick={() => detach(store, key)}>
        <CloseIcon />
      </IconButton>
      {state === 'uploading' ? (
        <span
          aria-hidden="true"
          className="absolute bottom-0 left-0 h-0.5 bg-rail"
          style={{ width: `${(tenths ?? 0) * 10}%` }}
        />
      ) : null}
    </li>
  )
}

function Thumb({ file }: { file: AttachingFile }) {
  const preview = previewOf(file.key)
  const isPicture = isImage(file.mediaType)
  const kept = useFileSource(file.kept?.url ?? '', isPicture && preview === undefined)
  const source = preview ?? kept
  if (!isPicture || !source)
    return (
      <span className="flex size-10 shrink-0 items-center justify-center text-muted">
        <FileIcon />
      </span>
    )
  // biome-ignore lint/performance/noImgElement: a user's file, in a component that also runs without Next.js
  return <img src={source} alt="" className="size-10 shrink-0 rounded-sm object-cover" />
}

/** Tells whether the model receives the content of the file, not only its name. The user sees this before sending. */
function isSeen({ mediaType }: AttachingFile, { images, documents, all }: AttachmentLimits): boolean {
  const kind = fileKind(mediaType)
  return all === true || kind === 'text' || (kind === 'image' && images) || (kind === 'document' && documents)
}
