import { notFound } from '@waystation/base/api-error.ts'
import type { InFile } from '@waystation/protocol/session/file.ts'
import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * A file with its content. `bytes` is null if the caller already has the content with this digest (SHA-256,
 * hexadecimal).
 */
export type FileRead = { name: string; mediaType: string; digest: string; bytes: Buffer | null }

/** Returns an attached file to callers who can read its session. Throws `NOT_FOUND`. */
export async function readFile(ctx: Ctx, input: InFile & { digest?: string | undefined }): Promise<FileRead> {
  const key = await sessionKeyOf(ctx, input.sessionId)
  const [file] = await ctx.sql<FileRead[]>`
    select name, media_type, digest,
      case when digest is distinct from ${input.digest ?? null}::text then bytes end as bytes
    from files where session_key = ${key} and id = ${input.fileId}`
  if (file === undefined) throw notFound('file', input.fileId)
  return file
}
