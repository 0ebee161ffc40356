import type { Head } from '#lib/events/head.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { hasAccounts } from '#lib/kernel/identity.ts'
import type { AccountOf, CallAccount, Identity } from '#lib/protocol/answerers.ts'
import { askersIn } from './askers.ts'
import type { CallRow } from './call-row.ts'

type Asker = Identity & { mayEdit: boolean }

/**
 * The person or end user whose own accounts the calls of this turn may use: the one who asked for the turn (`askersIn`). Who
 * writes meanwhile does not count. In a session of an end user it is that user, and keys with the role editor or owner speak for
 * them. `others` are all other askers. Undefined: no asker has accounts. Nothing begins a step of the session meanwhile.
 */
export async function accountOf(
  ctx: Ctx,
  head: Pick<Head, 'sessionKey' | 'workspaceId'>
): Promise<AccountOf | undefined> {
  const [session] = await ctx.sql<{ subject: string | null; askers: Asker[] }[]>`
    with askers as (
      select sender ->> 'id' as id, max(sender ->> 'name') as name, max(at) as at from (${askersIn(ctx, head)}) asked
      where sender is not null and sender ->> 'id' not like 'system:%' group by 1
    ), known as (
      select a.*, a.id = 'key:environment' or exists (
        select from api_keys k where 'key:' || k.id = a.id and k.workspace_id = ${head.workspaceId}
          and k.revoked_at is null and k.role in ('owner', 'editor')) as "mayEdit"
      from askers a
    )
    select subject, (select coalesce(jsonb_agg(k order by at desc, name), '[]') from known k) as askers
    from sessions where key = ${head.sessionKey}`
  if (session === undefined) return undefined
  const { subject, askers } = session
  const owner = subject === null ? askers.find(hasAccounts) : { id: `subject:${subject}`, name: subject }
  if (owner === undefined) return undefined
  const speaksForOwner = ({ id, mayEdit }: Asker) => id === owner.id || (subject !== null && mayEdit)
  const others = askers.filter(one => !speaksForOwner(one)).map(({ name }) => name)
  return { id: owner.id, name: owner.name, ...(others.length === 0 ? {} : { others }) }
}

/** Whose own accounts a stored call may use now. */
export const accountOfCall = ({
  accountOf: account,
  state
}: Pick<CallRow, 'accountOf' | 'state'>): CallAccount | null => {
  if (account === null) return null
  const { asked = false, ...owner } = account
  return { ...owner, approved: asked && state === 'approved' }
}
