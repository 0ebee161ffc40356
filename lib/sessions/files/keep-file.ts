import { createHash } from 'node:crypto'
import { type LockedSession, sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { invalid, Refusal } from '#lib/kernel/refusal.ts'
import type { KeptFile } from '#lib/protocol/session/file.ts'
import { fileUrl, sizeWords } from '#lib/protocol/session/kept-file.ts'
import type { InSession } from '#lib/protocol/session/session.ts'
import { sniffFile } from './sniff-file.ts'

/** A file as somebody hands it over; `declared`: what they say it is. */
export type GivenFile = { name: string; declared: string; bytes: Uint8Array }

/** Its name and type as they may be stored, and the digest of its bytes (SHA-256, hexadecimal). */
export type ValidFile = { name: string; mediaType: string; digest: string; bytes: Uint8Array }

/** Whether there is a session to upload to, before anything of a file is read. */
export const mayUpload = (ctx: Ctx, { sessionId }: InSession): Promise<unknown> =>
  sessionKeyOf(ctx, sessionId)

/** Refuses what is no file that this server keeps. Its name loses what could be a path. */
export function validateFile(ctx: Ctx, { name, declared, bytes }: GivenFile): ValidFile {
  const { bytes: most } = ctx.ports.fileLimits
  if (bytes.byteLength === 0) throw invalid(`${name} is empty. Attach a file that has content.`)
  if (bytes.byteLength > most)
    throw new Refusal('TOO_LARGE', `${name} is too large. A file can be up to ${sizeWords(most)}.`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  const clean = name.replaceAll(/[\u0000-\u001f\u007f/\\]+/g, '-').trim() || 'file'
  return {
    name: redacted(ctx, 'message', clean),
    mediaType: sniffFile(bytes, { name: clean, declared }),
    digest: createHash('sha256').update(bytes).digest('hex'),
    bytes
  }
}

/** Stores a file's bytes in a session, as nobody's yet. What it may be there is for `admitFile` to say, in the same transaction. */
export async function storeFile(tx: Ctx, sessionKey: number, id: string, file: ValidFile): Promise<void> {
  const { name, mediaType, digest, bytes } = file
  await tx.sql`
    insert into files (session_key, id, workspace_id, generation, name, media_type, size, digest, bytes, created_by, created_at)
    values (${sessionKey}, ${id}, ${tx.workspaceId}, 0, ${name}, ${mediaType}, ${bytes.byteLength}, ${digest},
      ${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)}, ${identityOf(tx.actor)}::jsonb,
      clock_timestamp())`
}

/**
 * Admits a file that was stored to this life of its session: a message takes it, or it is removed after a day. Past what a
 * session may hold: `TOO_LARGE`. The head is locked, so that two uploads count each other.
 */
export async function admitFile(
  tx: Ctx,
  head: LockedSession,
  id: string,
  file: ValidFile
): Promise<KeptFile> {
  if (head.external)
    throw invalid('External agents receive only text. Remove the file, or put a link to it in the message.')
  const { name, mediaType, bytes } = file
  const { sessionBytes } = tx.ports.fileLimits
  await tx.sql`
    update files set generation = ${head.generation} where session_key = ${head.sessionKey} and id = ${id}`
  const [held] = await tx.sql<{ size: number }[]>`
    select coalesce(sum(size), 0)::float8 as size from files where session_key = ${head.sessionKey}`
  if ((held?.size ?? 0) > sessionBytes)
    throw new Refusal(
      'TOO_LARGE',
      `${name} does not fit: the files of a session can have ${sizeWords(sessionBytes)} in total. Delete a turn with files, or start a new session.`
    )
  return { id, name, mediaType, size: bytes.byteLength, url: fileUrl(head.sessionId, id) }
}
