import { newKey } from '@waystation/client'
import type { AttachmentLimits, StoredFile } from '@waystation/protocol/session/file.ts'
import { fileKind, formatSize } from '@waystation/protocol/session/stored-file.ts'
import { readDraft, useDraft, writeDraft } from '#components/browser/drafts.ts'
import { readError } from '#components/browser/error-text.ts'
import type { Reply } from '#components/browser/reply.ts'

/** A file that the user attached to the message in the composer, without its bytes. */
export type AttachingFile = {
  key: string
  name: string
  mediaType: string
  size: number
  state: 'uploading' | 'ready' | 'failed'
  /** The progress of the upload, in tenths (0 to 10). */
  tenths?: number
  kept?: StoredFile
  error?: string
}

type Draft = { files: readonly AttachingFile[] }
const none: Draft = { files: [] }
const place = 'files'

type Running = { file: File; preview?: string; stop: AbortController }
/** The files whose bytes this page has. After a reload, only files that the server has stored are usable. */
const running = new Map<string, Running>()

/** Returns an object URL for the preview of an image, while this page has its bytes. */
export const previewOf = (key: string): string | undefined => running.get(key)?.preview

const cutOff = 'Upload interrupted by a page reload. Remove the file and attach it again.'

/**
 * Returns the files attached to the message in the composer. Files that the server has stored survive a
 * reload. Interrupted uploads are marked as failed.
 */
export function useAttachingFiles(sessionId: string): readonly AttachingFile[] {
  const [{ files }] = useDraft(sessionId, place, none)
  return files.map(file =>
    file.state === 'uploading' && !running.has(file.key) ? { ...file, state: 'failed', error: cutOff } : file
  )
}

const change = (
  sessionId: string,
  to: (files: readonly AttachingFile[]) => readonly AttachingFile[]
): void => {
  const files = to(readDraft<Draft>(sessionId, place)?.files ?? [])
  writeDraft(sessionId, place, files.length === 0 ? undefined : { files })
}

const setFile = (sessionId: string, key: string, to: Partial<AttachingFile>): void =>
  change(sessionId, files => files.map(file => (file.key === key ? { ...file, ...to } : file)))

/** Uploads a file to its session. `onProgress` receives the share that was sent, from 0 to 1. */
type Send = (
  file: File,
  about: { key: string; onProgress: (share: number) => void; signal: AbortSignal }
) => Promise<Reply<StoredFile>>

/** Attaches files and uploads those within the limits. Each of the others shows its error. */
export function attach(
  sessionId: string,
  given: readonly File[],
  attaching: AttachmentLimits,
  send: Send
): void {
  const before = readDraft<Draft>(sessionId, place)?.files.length ?? 0
  for (const [index, file] of given.entries()) {
    const key = newKey()
    const about = {
      key,
      name: file.name,
      mediaType: file.type || 'application/octet-stream',
      size: file.size
    }
    const error = fileError(file, before + index, attaching)
    change(sessionId, files => [
      ...files,
      error === undefined ? { ...about, state: 'uploading' } : { ...about, state: 'failed', error }
    ])
    if (error === undefined) void carry(sessionId, key, file, send)
  }
}

function fileError(
  file: File,
  index: number,
  { fileBytes, perMessage }: AttachmentLimits
): string | undefined {
  if (index >= perMessage) return `A message can have up to ${perMessage} files. Remove this one.`
  if (file.size > fileBytes) return `Larger than the ${formatSize(fileBytes)} limit. Choose a smaller file.`
  return file.size === 0 ? 'The file is empty. Choose another one.' : undefined
}

async function carry(sessionId: string, key: string, file: File, send: Send): Promise<void> {
  const preview = fileKind(file.type) === 'image' ? URL.createObjectURL(file) : undefined
  const stop = new AbortController()
  running.set(key, { file, stop, ...(preview === undefined ? {} : { preview }) })
  let tenths = 0
  const onProgress = (share: number) => {
    const now = Math.floor(share * 10)
    if (now !== tenths) setFile(sessionId, key, { tenths: now })
    tenths = now
  }
  setFile(sessionId, key, { state: 'uploading', error: undefined, tenths: 0 })
  const reply = await send(file, { key, onProgress, signal: stop.signal }).catch(error => {
    if (!stop.signal.aborted) throw error
  })
  if (reply === undefined || stop.signal.aborted) return
  if (reply.ok) {
    const { name, mediaType, size } = reply.body
    return setFile(sessionId, key, { state: 'ready', name, mediaType, size, kept: reply.body })
  }
  setFile(sessionId, key, {
    state: 'failed',
    error: readError(reply)
  })
  // The server rejected the file and would reject it again, so the user cannot retry.
  if (!reply.error.temporary) letGo(key)
}

/** Returns true if the upload failed and this page still has the bytes to retry it. */
export const canTryAgain = ({ key, state }: AttachingFile): boolean => state === 'failed' && running.has(key)

/** Uploads a failed file again, if this page still has its bytes. */
export function tryAgain(sessionId: string, key: string, send: Send): void {
  const held = running.get(key)
  if (held !== undefined) void carry(sessionId, key, held.file, send)
}

/** Removes a file from the message and stops its upload. The server deletes unsent files after a day. */
export function detach(sessionId: string, key: string): void {
  letGo(key)
  change(sessionId, files => files.filter(file => file.key !== key))
}

/** Removes all files from the composer, after the message was sent. */
export function detachAll(sessionId: string): void {
  for (const { key } of readDraft<Draft>(sessionId, place)?.files ?? []) letGo(key)
  writeDraft(sessionId, place, undefined)
}

function letGo(key: string): void {
  const held = running.get(key)
  running.delete(key)
  held?.stop.abort()
  if (held?.preview !== undefined) URL.revokeObjectURL(held.preview)
}
