import type { Head } from '#lib/events/head.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { hasAccounts, isOwn } from '#lib/kernel/identity.ts'
import { alarmSender } from '#lib/protocol/alarm.ts'
import type { AccountOf, CallAccount, Identity } from '#lib/protocol/answerers.ts'
import { askersIn, isLate, lastRead, words } from './askers.ts'
import type { CallRow } from './call-row.ts'

/** `declaredOnly`: their only words are the descriptions of clients' tools. */
type Asker = Identity & { declaredOnly: boolean; mayEdit: boolean }

/**
 * The person or end user whose own accounts the calls of this turn may use: the one who asked for the turn (`askersIn`). In a
 * session of an end user it is that user, and keys with the role editor or owner speak for them.
 *
 * `others` are all other askers. They include everybody whose words arrived after the last turn that was done (`lastRead`), and
 * the authors of clients' tools in these prompts. If an alarm or a program asks, or an answer came late, they include everybody
 * whose words the agent has ever received. A program is an asker too; an alarm is not. Messages that arrive later do not count.
 * Undefined: no asker has accounts.
 *
 * Nothing may begin a step of the session meanwhile.
 */
export async function accountOf(
  ctx: Ctx,
  head: Pick<Head, 'sessionKey' | 'workspaceId'>
): Promise<AccountOf | undefined> {
  const { sessionKey } = head
  const [session] = await ctx.sql<
    { subject: string | null; isChild: boolean; since: number; late: boolean }[]
  >`
    select subject, parent_key is not null as "isChild", (${lastRead(ctx, sessionKey)}) as since,
      ${isLate(ctx, sessionKey)} as late
    from sessions where key = ${sessionKey}`
  if (session === undefined) return undefined
  const { subject, isChild, since, late } = session
  let found = await askersSince(ctx, head, late ? 0 : since)
  if (!late && found.some(isOwn)) found = await askersSince(ctx, head, 0)
  const askers = found.filter(({ id }) => id !== `system:${alarmSender}`)
  // A sub-agent that nobody alone asked for has no account to use.
  if (isChild && askers.every(isOwn)) return undefined
  const owner =
    subject === null
      ? askers.find(one => !one.declaredOnly && hasAccounts(one))
      : { id: `subject:${subject}`, name: subject }
  if (owner === undefined) return undefined
  const speaksForOwner = ({ id, mayEdit }: Asker) => id === owner.id || (subject !== null && mayEdit)
  const others = askers.filter(one => !speaksForOwner(one)).map(({ name }) => name)
  return { id: owner.id, name: owner.name, ...(others.length === 0 ? {} : { others }) }
}

/** The askers, and everybody whose words the agent has received since the context entry `from`. The newest sender comes first. */
const askersSince = (ctx: Ctx, head: Pick<Head, 'sessionKey' | 'workspaceId'>, from: number) => ctx.sql<
  Asker[]
>`
  with asked as (
    select sender, at from (${askersIn(ctx, head)}) asking
    union all select sender, case when declared then -1 else 0 end from (${words(ctx, head.sessionKey, from)}) received
  ), askers as (
    select sender ->> 'id' as id, max(sender ->> 'name') as name, max(at) as at from asked
    where sender ->> 'id' is not null group by 1
  )
  select a.id, a.name, a.at < 0 as "declaredOnly", a.id = 'key:environment' or exists (
    select from api_keys k where 'key:' || k.id = a.id and k.workspace_id = ${head.workspaceId}
      and k.revoked_at is null and k.role in ('owner', 'editor')) as "mayEdit"
  from askers a order by a.at desc, a.name`

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
