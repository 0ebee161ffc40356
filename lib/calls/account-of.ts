import type { Head } from '#lib/events/head.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { newsOf } from '#lib/messages/news.ts'
import type { AccountOf, CallAccount, Identity } from '#lib/protocol/answerers.ts'
import type { CallRow } from './call-row.ts'

type Asking = Identity & { last: number; mayEdit: boolean }

/**
 * Whose own accounts the calls of this turn may use: whoever asked for it. That is who sent the messages that the turn works on,
 * and what it was told out of band; not who writes meanwhile. In a session of an end user it is that user, for whom editors'
 * keys speak. Everybody else who asked is among `others`. Undefined: nobody who asked has accounts. The head is locked.
 */
export async function accountOf(ctx: Ctx, head: Head): Promise<AccountOf | undefined> {
  const [session] = await ctx.sql<{ subject: string | null; asking: Asking[] }[]>`
    with newest as (
      select turn_id from context where session_key = ${head.sessionKey} and kind = 'user' order by id desc limit 1
    ), said as (
      select m.sender, c.id from context c join messages m on m.session_key = c.session_key and m.id = c.message_id
      where c.session_key = ${head.sessionKey} and c.kind = 'user' and c.turn_id = (select turn_id from newest)
      union all select sender, 0 from (${newsOf(ctx, head.sessionKey)}) news
    ), everybody as (
      select sender, id from said
      union all select sender, 0 from messages
      where session_key = ${head.sessionKey} and exists (select from said where sender ->> 'id' like 'system:%')
      union all select sender, 0 from out_of_band
      where session_key = ${head.sessionKey} and exists (select from said where sender ->> 'id' like 'system:%')
    ), asking as (
      select sender ->> 'id' as id, max(sender ->> 'name') as name, max(id) as last from everybody
      where sender is not null and sender ->> 'id' not like 'system:%' group by 1
    )
    select s.subject, coalesce((
      select jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name, 'last', a.last, 'mayEdit', a.id = 'key:environment' or exists (
        select from api_keys k where 'key:' || k.id = a.id and k.workspace_id = s.workspace_id and k.revoked_at is null
          and k.role in ('owner', 'editor'))) order by a.last desc, a.name) from asking a), '[]') as asking
    from sessions s where s.key = ${head.sessionKey}`
  if (session === undefined) return undefined
  const { subject, asking } = session
  const owner = subject === null ? asking.find(hasAccounts) : { id: `subject:${subject}`, name: subject }
  if (owner === undefined) return undefined
  const speaksForOwner = ({ id, mayEdit }: Asking) => id === owner.id || (subject !== null && mayEdit)
  const others = asking.filter(one => !speaksForOwner(one)).map(({ name }) => name)
  return { id: owner.id, name: owner.name, ...(others.length === 0 ? {} : { others }) }
}

/** A person or an end user has accounts of their own; a program that writes to a session has not. */
const hasAccounts = ({ id }: Identity): boolean => /^(person|subject):/.test(id)

/** Whose own accounts a stored call may use now. */
export const accountOfCall = ({
  accountOf: account,
  state
}: Pick<CallRow, 'accountOf' | 'state'>): CallAccount | null => {
  if (account === null) return null
  const { asked = false, ...owner } = account
  return { ...owner, approved: asked && state === 'approved' }
}
