import { sinceAsked } from '#lib/engine/context/since-asked.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { AccountOf, CallAccount } from '#lib/protocol/call/answerers.ts'
import { askersIn } from './askers.ts'
import type { CallRow } from './call-row.ts'

type In = Pick<LockedSession, 'sessionKey' | 'workspaceId'>

/**
 * The person or end user whose own accounts the calls of a step may use: whoever sent the newest message, or in a session of an
 * end user, that user. `others` are the names of everybody else whose words the agent has ever received in this session (its
 * authors, `engine/context/authors.ts`): the model may follow any of them, so the owner is asked before the account is used. In a
 * session of an end user, keys with the role editor or owner speak for that user. Undefined: a program asks, which has no
 * accounts.
 */
export const accountOf = (ctx: Ctx, head: In): Promise<AccountOf | undefined> =>
  accountWith(ctx, head, ctx.sql`select id, name from session_authors where session_key = ${head.sessionKey}`)

/**
 * The same, with only those as `others` who asked for this turn as well: for what no words can steer. A sub-agent's task is from
 * all authors of the agent above.
 */
export const accountOfTurn = (ctx: Ctx, head: In): Promise<AccountOf | undefined> =>
  accountWith(
    ctx,
    head,
    ctx.sql`
      select id, name from (${askersIn(ctx, head)}) asking
      union all select a.id, a.name from session_authors a join sessions s on s.key = a.session_key
        where s.key = ${head.sessionKey} and s.parent_key is not null`
  )

async function accountWith(
  { sql }: Ctx,
  { sessionKey, workspaceId }: In,
  who: ReturnType<typeof askersIn>
): Promise<AccountOf | undefined> {
  const since = sinceAsked({ sql }, sessionKey)
  const sent = sql`
    context c join messages m on m.session_key = c.session_key and m.id = c.message_id
    where c.session_key = ${sessionKey} and c.kind = 'user'`
  // An alarm, or a plugin, asks for whoever wrote last before it.
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
      select to_json(array_agg(distinct w.name)) from (${who}) w
      where w.id <> owner.id and not (is_subject and (w.id = 'key:environment' or exists (
        select from api_keys k where 'key:' || k.id = w.id and k.workspace_id = ${workspaceId}
          and k.revoked_at is null and k.role in ('owner', 'editor'))))
    ) as others from owner`
  if (owner === undefined) return undefined
  const { id, name, others } = owner
  return { id, name, ...(others === null ? {} : { others }) }
}

/** Whose own accounts a stored call may use now. Who else has edited its arguments, or answered in its middle, asked for it too. */
export function accountOfCall({
  accountOf: account,
  saidBy,
  answerer,
  state
}: Pick<CallRow, 'accountOf' | 'saidBy' | 'answerer' | 'state'>): CallAccount | null {
  if (account === null) return null
  const { asked = false, others: askers = [], ...owner } = account
  const steering = (saidBy ?? []).filter(({ id }) => id !== owner.id).map(({ name }) => name)
  const others = [...new Set([...askers, ...steering])]
  return {
    ...owner,
    ...(others.length === 0 ? {} : { others }),
    approved: asked && state === 'approved' && answerer?.id === owner.id
  }
}
