import type { AccountOf } from '@waystation/protocol/call/answer-policy.ts'
import { askersIn } from '#lib/engine/calls/askers.ts'
import { newestInputStart } from '#lib/engine/context/newest-input.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

type SessionIds = Pick<LockedSession, 'sessionKey' | 'workspaceId'>

/**
 * Returns the person or end user whose own accounts the calls of a step can use. In an end user's session,
 * this is the end user. In any other session, it is the sender of the newest message.
 *
 * `others` names all other authors whose text the agent has received in this session
 * (`engine/context/authors.ts`). The model can follow any of them, so the owner must consent before the
 * account is used. In an end user's session, API keys with the role editor or owner speak for the end user
 * and are not in `others`.
 *
 * Returns undefined if the request comes from a program, which has no accounts.
 */
export const accountOwner = (ctx: Ctx, session: SessionIds): Promise<AccountOf | undefined> =>
  accountWith(
    ctx,
    session,
    ctx.sql`select id, name from session_authors where session_key = ${session.sessionKey}`
  )

/**
 * Like `accountOwner`, but `others` contains only the authors who asked for this turn. Use it where message text
 * cannot steer the result. A sub-agent's task comes from all authors of the parent session.
 */
export const accountOwnerOfTurn = (ctx: Ctx, session: SessionIds): Promise<AccountOf | undefined> =>
  accountWith(
    ctx,
    session,
    ctx.sql`
      select id, name from (${askersIn(ctx, session)}) asking
      union all select a.id, a.name from session_authors a join sessions s on s.key = a.session_key
        where s.key = ${session.sessionKey} and s.parent_key is not null`
  )

/** Returns the owner of the accounts, with the authors from `askers` who are not the owner as `others`. */
async function accountWith(
  { sql }: Ctx,
  { sessionKey, workspaceId }: SessionIds,
  askers: ReturnType<typeof askersIn>
): Promise<AccountOf | undefined> {
  const since = newestInputStart({ sql }, sessionKey)
  const sent = sql`
    context c join messages m on m.session_key = c.session_key and m.id = c.message_id
    where c.session_key = ${sessionKey} and c.kind = 'user'`
  // A turn that an alarm or a plugin started belongs to the last person who wrote before it.
  const [owner] = await sql<{ id: string; name: string; others: string[] | null }[]>`
    with owner as (
      select 'subject:' || subject as id, subject as name, true as is_subject from sessions
      where key = ${sessionKey} and subject is not null
      union all (
        select m.sender ->> 'id', m.sender ->> 'name', false from ${sent} and m.sender ->> 'id' ~ '^(person|subject):.'
          and c.id >= case when exists (select from ${sent} and c.id >= (${since}) and m.sender ->> 'id' like 'system:%')
            then 0 else (${since}) end
        order by c.id desc limit 1)
      order by is_subject desc limit 1
    )
    select id, name, (
      select to_json(array_agg(distinct w.name)) from (${askers}) w
      where w.id <> owner.id and not (is_subject and (w.id = 'key:environment' or exists (
        select from api_keys k where 'key:' || k.id = w.id and k.workspace_id = ${workspaceId}
          and k.revoked_at is null and k.role in ('owner', 'editor'))))
    ) as others from owner`
  if (owner === undefined) return undefined
  const { id, name, others } = owner
  return { id, name, ...(others === null ? {} : { others }) }
}
