import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { DeclaredTool } from '#lib/protocol/session/session.ts'
import { dropPrompts } from '#lib/sessions/history/drop-prompts.ts'

/** What stands where the name of a deleted end user stood. */
export const nobody = { id: 'subject:', name: 'a deleted user' }

/** Where a session keeps names: the column that tells its rows apart, and the ones with JSON in them. */
const places = [
  { table: 'messages', row: 'id', columns: ['message', 'sender'], type: 'jsonb' },
  { table: 'events', row: 'seq', columns: ['payload'], type: 'json' },
  {
    table: 'calls',
    row: 'tool_call_id',
    columns: ['answerers', 'answerer', 'said_by', 'account_of'],
    type: 'jsonb'
  },
  { table: 'context', row: 'id', columns: ['payload'], type: 'jsonb' },
  { table: 'files', row: 'id', columns: ['created_by'], type: 'jsonb' },
  { table: 'out_of_band', row: 'id', columns: ['sender'], type: 'jsonb' },
  { table: 'deliveries', row: 'id', columns: ['body'], type: 'jsonb' }
] as const

/**
 * Takes an end user's name out of a session that is not theirs, wherever it says who sent, answered or told something. What
 * they wrote stays, and so does what others wrote about them: it is part of the conversation. The head is locked.
 */
export async function forgetName(tx: Ctx, { sessionKey }: LockedSession, subject: string): Promise<void> {
  const { sql } = tx
  const rename = renaming(subject, await othersMessages(tx, sessionKey, subject))
  let isTold = false
  const needle = JSON.stringify(subject).slice(1, -1)
  for (const { table, row, columns, type } of places)
    for (const column of columns) {
      const found = await sql<{ row: string; value: string }[]>`
        select ${sql(row)}::text as row, ${sql(column)}::text as value from ${sql(table)}
        where session_key = ${sessionKey} and strpos(${sql(column)}::text, ${needle}) > 0`
      for (const { row: id, value } of found) {
        const parsed = JSON.parse(value)
        const renamed = JSON.stringify(
          column === 'account_of' ? (rename({ accountOf: parsed }) as Fields).accountOf : rename(parsed)
        )
        if (renamed === value) continue
        isTold ||= table === 'context'
        const stored = sql.unsafe(type)
        await sql`
          update ${sql(table)} set ${sql(column)} = (${renamed}::text)::${stored}
          where session_key = ${sessionKey} and ${sql(row)}::text = ${id}`
      }
    }
  await forgetInSession(tx, sessionKey, subject)
  await sql`
    update spend_grants g set granted_by = ${nobody.name}
    where g.session_key = ${sessionKey} and g.granted_by = ${subject} and exists (
      select from calls c where c.session_key = g.session_key and c.tool_call_id = g.tool_call_id
        and c.via in ('token', 'message') and c.answered_by = ${subject})`
  await sql`
    update calls set answered_by = ${nobody.name}
    where session_key = ${sessionKey} and via in ('token', 'message') and answered_by = ${subject}`
  const { count: told } = await sql`
    update out_of_band set source_id = ${nobody.name}
    where session_key = ${sessionKey} and source = 'user' and source_id = ${subject}`
  if (told === 0 && !isTold) return
  // A kept prompt says by whom in the midst of its words.
  await dropPrompts(tx, sessionKey)
  await sql`update sessions set context_cuts = context_cuts + 1 where key = ${sessionKey}`
}

/** Their words still count as those of somebody, and the tools that their page declared stay. */
async function forgetInSession({ sql }: Ctx, key: number, subject: string): Promise<void> {
  const id = `subject:${subject}`
  await sql`
    with gone as (delete from session_authors where session_key = ${key} and id = ${id} returning session_key)
    insert into session_authors (session_key, id, name) select session_key, ${nobody.id}, ${nobody.name} from gone
    on conflict do nothing`
  const [session] = await sql<
    { tools: DeclaredTool[] }[]
  >`select client_tools as tools from sessions where key = ${key}`
  if (session === undefined) return
  const tools = session.tools.map(({ declaredBy, ...tool }) => ({
    ...tool,
    ...(declaredBy && { declaredBy: declaredBy.map(by => (by === id ? nobody.id : by)) })
  }))
  await sql`update sessions set client_tools = ${tools}::jsonb where key = ${key}`
}

/** The messages of a session that others have sent. Of those that were removed since, the log knows a name only. */
async function othersMessages({ sql }: Ctx, key: number, subject: string): Promise<Set<unknown>> {
  const sent = await sql<{ id: string }[]>`
    select id from messages where session_key = ${key} and sender ->> 'id' is distinct from ${`subject:${subject}`}`
  return new Set(sent.map(({ id }) => id))
}

type Rename = (value: unknown) => unknown
type Fields = Record<string, unknown>

/** Renames them in whatever says by its own fields that it is of them: somebody else may have the same name. */
const renaming = (subject: string, others: ReadonlySet<unknown>): Rename => {
  /** `others` holds names only, so another asker with the same name is renamed as well. */
  const othersOf = (account: Fields): Fields =>
    Array.isArray(account?.others)
      ? { ...account, others: account.others.map(name => (name === subject ? nobody.name : name)) }
      : account
  const fieldsOf = (named: Fields): Fields => {
    const byToken = named.via === 'token' || named.via === 'message'
    const metadata = named.metadata as Fields | undefined
    return {
      ...(named.id === `subject:${subject}` && {
        id: nobody.id,
        ...('name' in named && { name: nobody.name })
      }),
      ...(named.accountOf !== undefined && { accountOf: othersOf(named.accountOf as Fields) }),
      ...(byToken && named.answeredBy === subject && { answeredBy: nobody.name }),
      ...(named.source === 'user' && named.sourceId === subject && { sourceId: nobody.name }),
      ...(Array.isArray(named.messageIds) && 'why' in named && named.by === subject && { by: nobody.name }),
      ...(metadata?.sentBy === subject &&
        'role' in named &&
        !others.has(named.id) && {
          metadata: { ...metadata, sentBy: nobody.name }
        })
    }
  }
  const rename = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rename)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries({ ...value, ...fieldsOf(value as Fields) })
    return Object.fromEntries(entries.map(([name, field]) => [name, rename(field)]))
  }
  return rename
}
