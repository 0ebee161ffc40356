import type { Head } from '#lib/events/head.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { hasAccounts, isOwn } from '#lib/kernel/identity.ts'
import { alarmSender } from '#lib/protocol/alarm.ts'
import type { AccountOf, CallAccount, Identity } from '#lib/protocol/answerers.ts'
import { askersIn, isLate, newWords, words } from './askers.ts'
import type { CallRow } from './call-row.ts'

type Asker = Identity & { mayEdit: boolean }

/**
 * The person or end user whose own accounts the calls of this turn may use: the one who asked for the turn (`askersIn`). Who
 * writes meanwhile does not count; whoever else's words it is the first to read does (`newWords`). For what an alarm or a program asks, or goes on after a late answer, everybody counts whose words the agent has ever got. In a session of an end user it is that user, and keys with the role editor or owner speak for
 * them. `others` are all other askers; a program is one, an alarm is nobody. Undefined: no asker has accounts. Nothing begins a step of the session meanwhile.
 */
export async function accountOf(
  ctx: Ctx,
  head: Pick<Head, 'sessionKey' | 'workspaceId'>
): Promise<AccountOf | undefined> {
  const { sessionKey } = head
  const [session] = await ctx.sql<{ subject: string | null; isChild: boolean; askers: Asker[] }[]>`
    with asking as (${askersIn(ctx, head)}), asked as (
      select sender, at from asking
      union all select sender, 0 from (${newWords(ctx, sessionKey)}) news
    ), everybody as (
      select sender, at from asked
      union all select sender, 0 from (${words(ctx, sessionKey)}) ever
      where exists (select from asked where sender ->> 'id' like 'system:%') or ${isLate(ctx, sessionKey)}
    ), askers as (
      select sender ->> 'id' as id, max(sender ->> 'name') as name, max(at) as at from everybody
      where sender is not null and sender ->> 'id' <> ${`system:${alarmSender}`} group by 1
    ), known as (
      select a.*, a.id = 'key:environment' or exists (
        select from api_keys k where 'key:' || k.id = a.id and k.workspace_id = ${head.workspaceId}
          and k.revoked_at is null and k.role in ('owner', 'editor')) as "mayEdit"
      from askers a
    )
    select subject, parent_key is not null as "isChild", (select coalesce(jsonb_agg(k order by at desc, name), '[]') from known k) as askers
    from sessions where key = ${sessionKey}`
  if (session === undefined) return undefined
  const { subject, isChild, askers } = session
  // A sub-agent that nobody alone asked for has no account to use.
  if (isChild && askers.every(isOwn)) return undefined
  const owner = subject === null ? askers.find(hasAccounts) : { id: `subject:${subject}`, name: subject }
  if (owner === undefined) return undefined
  const speaksForOwner = ({ id, mayEdit }: Asker) => id === owner.id || (subject !== null && mayEdit)
  const others = askers.filter(one => !speaksForOwner(one)).map(({ name }) => name)
  return { id: owner.id, name: owner.name, ...(others.length === 0 ? {} : { others }) }
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
