import { notFound } from '@waystation/base/api-error.ts'
import type { ReadSentFile } from '@waystation/protocol/external-agent/callback.ts'
import { checkFileLink, type FileScope, readFileToken } from '#lib/deliveries/file-link.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { linkSecretOf } from './callback-link.ts'

/**
 * Checks the link to a file that was sent to an external agent, and counts the request as one of the session's callback.
 * `link` is the key for the limit of open requests.
 *
 * @throws ApiError `UNAUTHENTICATED` if the link is forged or its secret was replaced; `EXPIRED`; `RATE_LIMITED`
 */
export async function authorizeFileLink(
  ctx: Ctx,
  { fileId, token = '' }: ReadSentFile
): Promise<{ input: FileScope; link: string }> {
  const scope = readFileToken(token, fileId)
  checkFileLink(scope && (await linkSecretOf(ctx, scope.workspaceId)), scope)
  const link = `${scope.sessionKey} ${scope.generation}`
  await ctx.ports.enforceRateLimit('callback', link)
  return { input: scope, link }
}

/** Returns the file of a valid link. Throws `NOT_FOUND` if its session was deleted or created again. */
export async function readSentFile(
  ctx: Ctx,
  sessionId: string,
  { workspaceId, sessionKey, generation, fileId }: FileScope
): Promise<{ name: string; mediaType: string; digest: string; bytes: Buffer }> {
  const [file] = await ctx.sql<{ name: string; mediaType: string; digest: string; bytes: Buffer }[]>`
    select f.name, f.media_type, f.digest, f.bytes
    from files f join sessions s on s.key = f.session_key join heads h on h.session_key = f.session_key
    where f.session_key = ${sessionKey} and f.id = ${fileId} and s.workspace_id = ${workspaceId} and s.id = ${sessionId}
      and s.deleted_at is null and h.generation = ${generation}`
  if (file === undefined) throw notFound('file', fileId)
  return file
}
