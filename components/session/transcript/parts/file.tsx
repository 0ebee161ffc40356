import { isImage, storedFileOf } from '@waystation/protocol/session/stored-file.ts'
import { MessageFile } from '#components/session/content/attachments.tsx'
import type { RowProps } from './row-props.ts'

/**
 * A link to download a file. Files on other servers are not loaded automatically. An image is shown if its
 * bytes are in the message or on this server.
 */
export function FileLink({ part }: Pick<RowProps<'file'>['row'], 'part'>) {
  const isOurs = storedFileOf(part) !== undefined
  if (isOurs || (part.url.startsWith('data:') && isImage(part.mediaType))) return <MessageFile part={part} />
  const name = part.filename ?? `file (${part.mediaType})`
  if (!/^(data:|https?:)/.test(part.url)) return <span className="text-muted">{name}</span>
  return (
    <a
      href={part.url}
      download={part.filename ?? true}
      rel="noopener noreferrer"
      className="font-mono text-mono"
    >
      {name}
    </a>
  )
}

export function FileRow({ row }: RowProps<'file'>) {
  return <FileLink part={row.part} />
}
