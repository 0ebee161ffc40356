import type { AttachmentLimits, StoredFile } from '@waystation/protocol/session/file.ts'
import { fileKind, formatSize } from '@waystation/protocol/session/stored-file.ts'
import { readDraft, useDraft, writeDraft } from '#components/browser/drafts.ts'
import { readError } from '#components/browser/error-text.ts'
import type { Reply } from '#components/browser/http.ts'
import { newKey } from '#components/session/store/outbox.ts'

/** A file above the composer: on its way to the server, there, or not to be had. Its bytes are not in it. */
export type AttachingFile = {
  key: string
  name: string
  mediaType: string
  size: number
  state: 'uploading' | 'ready' | 'failed'
  /** How much of it is sent, in tenths. */
  tenths?: number
  kept?: StoredFile
  error?: string
}

type Draft = { files: readonly AttachingFile[] }
const none: Draft = { files: [] }
const place = 'files'

type Running = { file: File; preview?: string; stop: AbortController }
/** What this page has in its hands: a reload lets go of it, and only what is on the server is still there then. */
const running = new Map<string, Running>()

/** The file's own bytes as an image, while this page has them. */
export const previewOf = (key: string): string | undefined => running.get(key)?.preview

const cutOff = 'Upload interrupted by a page reload. Remove the file and attach it again.'

/** The files that are attached to the message that somebody writes; a reload keeps those that the server has. */
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

/** How a file gets to its session. */
type Send = (
  file: File,
  about: { key: string; onProgress: (share: number) => void; signal: AbortSignal }
) => Promise<Reply<StoredFile>>

/** Attaches files, each as far as it may be: what is wrong with one is said on it. */
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
  const reply = await send(file, { key, onProgress, signal: stop.signal })
  if (stop.signal.aborted) return
  if (reply.ok) {
    const { name, mediaType, size } = reply.body
    return setFile(sessionId, key, { state: 'ready', name, mediaType, size, kept: reply.body })
  }
  setFile(sessionId, key, {
    state: 'failed',
    error: readError(reply)
  })
  // What was refused is refused again.
  if (!reply.lost) letGo(key)
}

/** Whether this page has what it takes to send it once more. */
export const canTryAgain = ({ key, state }: AttachingFile): boolean => state === 'failed' && running.has(key)

export function tryAgain(sessionId: string, key: string, send: Send): void {
  const held = running.get(key)
  if (held !== undefined) void carry(sessionId, key, held.file, send)
}

/** Takes a file away again; what the server has of it goes by itself. */
export function detach(sessionId: string, key: string): void {
  letGo(key)
  change(sessionId, files => files.filter(file => file.key !== key))
}

/** Forgets them all: they are sent. */
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
