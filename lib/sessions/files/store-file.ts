import { createHash } from 'node:crypto'
import { ApiError, invalid } from '@waystation/base/api-error.ts'
import type { StoredFile } from '@waystation/protocol/session/file.ts'
import type { InSession } from '@waystation/protocol/session/session-id.ts'
import { fileUrl, formatSize } from '@waystation/protocol/session/stored-file.ts'
import { type LockedSession, sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { sniffFile } from './sniff-file.ts'

/** A file to upload. `declared` is the media type that the client sent. */
export type FileUpload = { name: string; declared: string; bytes: Uint8Array }

/** A file with a name and type that are safe to store, and the SHA-256 of its bytes in hexadecimal. */
export type ValidFile = { name: string; mediaType: string; digest: string; bytes: Uint8Array }

/** Throws `NOT_FOUND` or `EXPIRED` if there is no session to upload to. Call it before the body is read. */
export const mayUpload = (ctx: Ctx, { sessionId }: InSession): Promise<unknown> =>
  sessionKeyOf(ctx, sessionId)

/**
 * Validates a file and cleans its name of path characters. Throws if the file is empty, too large or of an invalid
 * type.
 */
export function validateFile(ctx: Ctx, { name, declared, bytes }: FileUpload): ValidFile {
  const { bytes: maxBytes } = ctx.ports.fileLimits
  if (bytes.byteLength === 0) throw invalid(`${name} is empty. Attach a file that has content.`)
  if (bytes.byteLength > maxBytes)
    throw new ApiError('TOO_LARGE', `${name} is too large. A file can be up to ${formatSize(maxBytes)}.`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  const cleanName = name.replaceAll(/[\u0000-\u001f\u007f/\\]+/g, '-').trim() || 'file'
  return {
    name: redacted(ctx, 'message', cleanName),
    mediaType: sniffFile(bytes, { name: cleanName, declared }),
    digest: createHash('sha256').update(bytes).digest('hex'),
    bytes
  }
}

/**
 * Stores a file's bytes in a session, not yet attached to a message. Call `admitFile` in the same transaction to check
 * the limits.
 */
export async function storeFile(tx: Ctx, sessionKey: number, id: string, file: ValidFile): Promise<void> {
  const { name, mediaType, digest, bytes } = file
  await tx.sql`
    insert into files (session_key, id, workspace_id, generation, name, media_type, size, digest, bytes, created_by, created_at)
    values (${sessionKey}, ${id}, ${tx.workspaceId}, 0, ${name}, ${mediaType}, ${bytes.byteLength}, ${digest},
      ${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)}, ${identityOf(tx.actor)}::jsonb,
      clock_timestamp())`
}

/**
 * Admits a stored file to the current generation of its session. It is deleted after a day unless a message includes
 * it. Throws `TOO_LARGE` over the session's limit. Needs the session's lock, so that concurrent uploads count each
 * other.
 */
export async function admitFile(
  tx: Ctx,
  session: LockedSession,
  id: string,
  file: ValidFile
): Promise<StoredFile> {
  const { name, mediaType, bytes } = file
  const { sessionBytes } = tx.ports.fileLimits
  await tx.sql`
    update files set generation = ${session.generation} where session_key = ${session.sessionKey} and id = ${id}`
  const [total] = await tx.sql<{ size: number }[]>`
    select coalesce(sum(size), 0)::float8 as size from files where session_key = ${session.sessionKey}`
  if ((total?.size ?? 0) > sessionBytes)
    throw new ApiError(
      'TOO_LARGE',
      `${name} does not fit: the files of a session can have ${formatSize(sessionBytes)} in total. Delete a turn with files, or start a new session.`
    )
  return { id, name, mediaType, size: bytes.byteLength, url: fileUrl(session.sessionId, id) }
}
