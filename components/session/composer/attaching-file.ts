import { newKey } from '@waystation/client'
import type { AttachmentLimits, StoredFile } from '@waystation/protocol/session/file.ts'
import { fileKind, formatSize } from '@waystation/protocol/session/stored-file.ts'
import { readDraft, useDraft, writeDraft } from '#components/browser/drafts.ts'
import { readError } from '#components/browser/error-text.ts'
import type { SessionStore } from '#components/session/store/session-store.ts'

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

type Running = { file: File; preview: string | undefined; stop: AbortController }
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

const filesOf = ({ path }: SessionStore) => readDraft<Draft>(path.sessionId, place)?.files ?? []

const setFiles = ({ path }: SessionStore, files: readonly AttachingFile[]): void =>
  writeDraft(path.sessionId, place, files.length === 0 ? undefined : { files })

const setFile = (store: SessionStore, key: string, to: Partial<AttachingFile>): void => {
  const files = filesOf(store).map(file => (file.key === key ? { ...file, ...to } : file))
  setFiles(store, files)
}

/** Attaches files and uploads those within the limits. Each of the others shows its error. */
export function attach(store: SessionStore, given: readonly File[], limits: AttachmentLimits): void {
  for (const file of given) {
    const before = filesOf(store)
    const error = fileError(file, before.length, limits)
    const added: AttachingFile = {
      key: newKey(),
      name: file.name,
      mediaType: file.type || 'application/octet-stream',
      size: file.size,
      state: error === undefined ? 'uploading' : 'failed',
      error
    }
    setFiles(store, [...before, added])
    if (error === undefined) void carry(store, added.key, file)
  }
}

function fileError(file: File, index: number, { fileBytes, perMessage }: AttachmentLimits) {
  if (index >= perMessage) return `A message can have up to ${perMessage} files. Remove this one.`
  if (file.size > fileBytes) return `Larger than the ${formatSize(fileBytes)} limit. Choose a smaller file.`
  return file.size === 0 ? 'The file is empty. Choose another one.' : undefined
}

async function carry(store: SessionStore, key: string, file: File): Promise<void> {
  const preview = fileKind(file.type) === 'image' ? URL.createObjectURL(file) : undefined
  const stop = new AbortController()
  running.set(key, { file, stop, preview })
  let tenths = 0
  const onProgress = (share: number) => {
    const now = Math.floor(share * 10)
    if (now !== tenths) setFile(store, key, { tenths: now })
    tenths = now
  }
  setFile(store, key, { state: 'uploading', error: undefined, tenths: 0 })
  const reply = await store.upload(file, { key, onProgress, signal: stop.signal }).catch(error => {
    if (!stop.signal.aborted) throw error
  })
  if (reply === undefined || stop.signal.aborted) return
  if (reply.ok) {
    const { name, mediaType, size } = reply.body
    return setFile(store, key, { state: 'ready', name, mediaType, size, kept: reply.body })
  }
  setFile(store, key, { state: 'failed', error: readError(reply) })
  // The server rejected the file and would reject it again, so the user cannot retry.
  if (!reply.error.temporary) letGo(key)
}

/** Returns true if the upload failed and this page still has the bytes to retry it. */
export const canTryAgain = ({ key, state }: AttachingFile): boolean => state === 'failed' && running.has(key)

/** Uploads a failed file again, if this page still has its bytes. */
export function tryAgain(store: SessionStore, key: string): void {
  const held = running.get(key)
  if (held !== undefined) void carry(store, key, held.file)
}

/** Removes a file from the message and stops its upload. The server deletes unsent files after a day. */
export function detach(store: SessionStore, key: string): void {
  letGo(key)
  const files = filesOf(store).filter(file => file.key !== key)
  setFiles(store, files)
}

/** Removes all files from the composer, after the message was sent. */
export function detachAll(store: SessionStore): void {
  for (const { key } of filesOf(store)) letGo(key)
  setFiles(store, [])
}

function letGo(key: string): void {
  const held = running.get(key)
  running.delete(key)
  held?.stop.abort()
  if (held?.preview !== undefined) URL.revokeObjectURL(held.preview)
}
