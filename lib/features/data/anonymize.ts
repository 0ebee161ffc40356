import type { DeclaredTool } from '@waystation/protocol/session/session.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { dropPrompts } from '#lib/sessions/history/drop-prompts.ts'

/** The identity that replaces that of a deleted end user. */
export const deletedUser = { id: 'subject:', name: 'a deleted user' }

/** The columns with JSON that can contain names, and the column that identifies each row. */
const nameColumns = [
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
 * Replaces an end user's name in another owner's session, wherever it identifies the sender or answerer of
 * something. Text stays unchanged, because it is part of the conversation. The caller holds the session's
 * lock.
 */
export async function forgetName(tx: Ctx, { sessionKey }: LockedSession, subject: string): Promise<void> {
  const { sql } = tx
  const rename = renaming(subject, await othersMessages(tx, sessionKey, subject))
  let contextChanged = false
  const needle = JSON.stringify(subject).slice(1, -1)
  for (const { table, row: keyColumn, columns, type } of nameColumns)
    for (const column of columns) {
      const rows = await sql<{ row: string; value: string }[]>`
        select ${sql(keyColumn)}::text as row, ${sql(column)}::text as value from ${sql(table)}
        where session_key = ${sessionKey} and strpos(${sql(column)}::text, ${needle}) > 0`
      for (const { row: id, value } of rows) {
        const parsed = JSON.parse(value)
        const renamed = JSON.stringify(
          column === 'account_of' ? (rename({ accountOf: parsed }) as Fields).accountOf : rename(parsed)
        )
        if (renamed === value) continue
        contextChanged ||= table === 'context'
        const stored = sql.unsafe(type)
        await sql`
          update ${sql(table)} set ${sql(column)} = (${renamed}::text)::${stored}
          where session_key = ${sessionKey} and ${sql(keyColumn)}::text = ${id}`
      }
    }
  await forgetInSession(tx, sessionKey, subject)
  await sql`
    update spend_grants g set granted_by = ${deletedUser.name}
    where g.session_key = ${sessionKey} and g.granted_by = ${subject} and exists (
      select from calls c where c.session_key = g.session_key and c.tool_call_id = g.tool_call_id
        and c.via in ('token', 'message') and c.answered_by = ${subject})`
  await sql`
    update calls set answered_by = ${deletedUser.name}
    where session_key = ${sessionKey} and via in ('token', 'message') and answered_by = ${subject}`
  const { count: updatedMessages } = await sql`
    update out_of_band set source_id = ${deletedUser.name},
      cancelled_by = case when cancelled_by = ${subject} then ${deletedUser.name} else cancelled_by end
    where session_key = ${sessionKey} and source = 'user' and source_id = ${subject}`
  if (updatedMessages === 0 && !contextChanged) return
  // Stored prompts contain the name within their text, so they are dropped.
  await dropPrompts(tx, sessionKey)
  await sql`update sessions set context_cuts = context_cuts + 1 where key = ${sessionKey}`
}

/** Replaces the end user among the session's authors and in the tools that their page declared. */
async function forgetInSession({ sql }: Ctx, key: number, subject: string): Promise<void> {
  const id = `subject:${subject}`
  await sql`
    with gone as (delete from session_authors where session_key = ${key} and id = ${id} returning session_key)
    insert into session_authors (session_key, id, name) select session_key, ${deletedUser.id}, ${deletedUser.name} from gone
    on conflict do nothing`
  const [session] = await sql<
    { tools: DeclaredTool[] }[]
  >`select client_tools as tools from sessions where key = ${key}`
  if (session === undefined) return
  const tools = session.tools.map(({ declaredBy, ...tool }) => ({
    ...tool,
    ...(declaredBy && { declaredBy: declaredBy.map(by => (by === id ? deletedUser.id : by)) })
  }))
  await sql`update sessions set client_tools = ${tools}::jsonb where key = ${key}`
}

/** Returns the IDs of messages that others sent. The log has only a name for messages that were removed since. */
async function othersMessages({ sql }: Ctx, key: number, subject: string): Promise<Set<unknown>> {
  const sent = await sql<{ id: string }[]>`
    select id from messages where session_key = ${key} and sender ->> 'id' is distinct from ${`subject:${subject}`}`
  return new Set(sent.map(({ id }) => id))
}

type Rename = (value: unknown) => unknown
type Fields = Record<string, unknown>

/**
 * Returns a function that renames the end user wherever other fields of the object identify them. The name
 * alone is not enough, because another user can have the same one.
 */
const renaming = (subject: string, others: ReadonlySet<unknown>): Rename => {
  /** `others` holds names only, so another asker with the same name is renamed as well. */
  const otherMessagesOf = (account: Fields): Fields =>
    Array.isArray(account?.others)
      ? { ...account, others: account.others.map(name => (name === subject ? deletedUser.name : name)) }
      : account
  const fieldsOf = (fields: Fields): Fields => {
    const byToken = fields.via === 'token' || fields.via === 'message'
    const metadata = fields.metadata as Fields | undefined
    return {
      ...(fields.id === `subject:${subject}` && {
        id: deletedUser.id,
        ...('name' in fields && { name: deletedUser.name })
      }),
      ...(fields.accountOf !== undefined && { accountOf: otherMessagesOf(fields.accountOf as Fields) }),
      ...(byToken && fields.answeredBy === subject && { answeredBy: deletedUser.name }),
      ...(fields.source === 'user' &&
        fields.sourceId === subject && {
          sourceId: deletedUser.name,
          // End users can remove only their own messages.
          ...(fields.cancelledBy === subject && { cancelledBy: deletedUser.name })
        }),
      ...(Array.isArray(fields.messageIds) &&
        'why' in fields &&
        fields.by === subject && { by: deletedUser.name }),
      ...(metadata?.sentBy === subject &&
        'role' in fields &&
        !others.has(fields.id) && {
          metadata: { ...metadata, sentBy: deletedUser.name }
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
