import { invalid } from '@waystation/base/api-error.ts'
import type { UserPart } from '@waystation/protocol/session/message.ts'
import { fileUrl, storedFileOf } from '@waystation/protocol/session/stored-file.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

type Row = { id: string; name: string; mediaType: string; size: number; isAttached: boolean }

/**
 * Attaches the uploaded files in a message's parts to that message. Returns the parts with the stored name, type and
 * size, regardless of the input. Throws `INVALID_INPUT` if a file is unknown, deleted, in another session or already
 * sent. Needs the session's lock.
 */
export async function attachFiles(
  tx: Ctx,
  session: LockedSession,
  messageId: string,
  parts: readonly UserPart[]
): Promise<UserPart[]> {
  const files = parts.filter(({ type }) => type === 'file').length
  if (files === 0) return [...parts]
  const { perMessage } = tx.ports.fileLimits
  if (files > perMessage)
    throw invalid(`A message can have up to ${perMessage} files. Send the other files in another message.`)
  const uploaded = parts.map(storedFileOf)
  const ids = uploaded.flatMap(file => file?.fileId ?? [])
  if (ids.length === 0) return [...parts]
  if (new Set(ids).size < ids.length)
    throw invalid('This message has the same file twice. Attach each file once.')
  if (uploaded.some(file => file !== undefined && file.sessionId !== session.sessionId))
    throw invalid('A file belongs to the session that it was uploaded to. Upload the file to this session.')
  // A file whose message was removed from the conversation can be attached again.
  const rows = await tx.sql<Row[]>`
    select f.id, f.name, f.media_type, f.size, m.id is not null as is_attached
    from files f left join messages m on m.session_key = f.session_key and m.id = f.message_id
    where f.session_key = ${session.sessionKey} and f.id = any(${ids}) for update of f`
  const missing = ids.find(id => !rows.some(row => row.id === id))
  if (missing !== undefined)
    throw invalid(
      `There is no file "${missing}" in this session. Files that are not sent are deleted after a day: upload it again.`
    )
  const alreadySent = rows.find(row => row.isAttached)
  if (alreadySent !== undefined)
    throw invalid(
      `${alreadySent.name} was already sent in another message. To send it again, upload it again.`
    )
  await tx.sql`
    update files set message_id = ${messageId} where session_key = ${session.sessionKey} and id = any(${ids})`
  return parts.map((part, index) => {
    const row = rows.find(({ id }) => id === uploaded[index]?.fileId)
    if (row === undefined) return part
    return {
      type: 'file',
      mediaType: row.mediaType,
      filename: row.name,
      url: fileUrl(session.sessionId, row.id),
      providerMetadata: { waystation: { size: row.size } }
    }
  })
}
