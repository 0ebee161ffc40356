import { fileUrl } from '@waystation/protocol/session/stored-file.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/**
 * Copies the files of a branch's messages, and points the branch's messages, events and context at the copies. Each
 * session owns its files, which are deleted with it. Needs the locks of both sessions.
 */
export async function copyFiles(
  tx: Ctx,
  branch: LockedSession,
  from: { key: number; id: string }
): Promise<void> {
  const { count } = await tx.sql`
    insert into files (session_key, id, workspace_id, generation, message_id, name, media_type, size, digest, bytes, created_by,
      created_at)
    select ${branch.sessionKey}, f.id, f.workspace_id, ${branch.generation}, f.message_id, f.name, f.media_type, f.size,
      f.digest, f.bytes, f.created_by, clock_timestamp()
    from files f join messages m on m.session_key = ${branch.sessionKey} and m.id = f.message_id
    where f.session_key = ${from.key}`
  if (count === 0) return
  const [oldPrefix, newPrefix] = [fileUrl(from.id, ''), fileUrl(branch.sessionId, '')]
  const withNewUrls = (parts: 'message' | 'payload') => tx.sql`
    (select jsonb_agg(case when starts_with(p ->> 'url', ${oldPrefix})
      then jsonb_set(p, '{url}', to_jsonb(${newPrefix}::text || substr(p ->> 'url', ${oldPrefix.length + 1}))) else p end order by n)
    from jsonb_array_elements(${tx.sql(parts)} -> 'parts') with ordinality as t(p, n))`
  const inBranch = tx.sql`session_key = ${branch.sessionKey} and exists (
    select from files f where f.session_key = ${branch.sessionKey} and f.message_id =`
  await tx.sql`
    update messages set message = jsonb_set(message, '{parts}', ${withNewUrls('message')}) where ${inBranch} messages.id)`
  await tx.sql`
    update context set payload = jsonb_set(payload, '{parts}', ${withNewUrls('payload')})
    where kind = 'user' and ${inBranch} context.message_id)`
  await tx.sql`
    update events e set payload = json_build_object('message', m.message) from messages m
    where e.session_key = ${branch.sessionKey} and e.type = 'message' and m.session_key = e.session_key
      and m.id = e.message_id and exists (
        select from files f where f.session_key = m.session_key and f.message_id = m.id)`
}
