import { expect, test } from 'vitest'
import { inTransaction } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { listSessions } from '#lib/sessions/list-sessions.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { startTestServer, type TestServer, type TestSession } from '#tests/support/servers/test-server.ts'

/** Returns how many rows `work` reads from the tables that grow with use. */
async function rowsRead(server: TestServer, work: (ctx: Ctx) => Promise<unknown>): Promise<number> {
  const counter = async (tx: Ctx) => {
    const [row] = await tx.sql<{ rows: number }[]>`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
      where relname in ('sessions', 'heads', 'messages', 'calls', 'events', 'out_of_band', 'deliveries')`
    return row?.rows ?? 0
  }
  return inTransaction(server.ctx, async tx => {
    const before = await counter(tx)
    await work(tx)
    return (await counter(tx)) - before
  })
}

test('a session of thousands of messages and calls opens after reading a few hundred rows', async () => {
  const server = await startTestServer()
  const session = await server.startSession()
  await session.runTurn(demo.askToChoose('tea', 'coffee'))
  const ended = session.waitForEnd()
  await session.answer(await session.waitForCall('ask-question'), { declined: true })
  await ended
  await copyHistory(server, session)
  expect(await rowsRead(server, tx => getSession(tx, { sessionId: session.id }))).toBeLessThan(400)
})

test('a page of a list of thousands of sessions needs a few hundred rows', async () => {
  const server = await startTestServer()
  const { key } = await server.startSession()
  await server.sql`
    insert into sessions overriding system value
    select (jsonb_populate_record(s, jsonb_build_object('id', 'copy_' || i, 'key', s.key + i))).*
    from sessions s, generate_series(1, 4000) i where s.key = ${key}`
  await server.sql`analyze sessions`
  expect(await rowsRead(server, tx => listSessions(tx, { limit: 50 }))).toBeLessThan(400)
})

/** Adds 2,000 copies of the messages and settled calls of a session before them. */
async function copyHistory({ sql }: TestServer, { key }: TestSession): Promise<void> {
  await sql`
    insert into messages
    select (jsonb_populate_record(m, jsonb_build_object('id', 'copy_' || i || m.id, 'pos', m.pos - i * 10))).*
    from messages m, generate_series(1, 2000) i where m.session_key = ${key}`
  await sql`
    insert into calls
    select (jsonb_populate_record(c, jsonb_build_object(
      'tool_call_id', 'copy_' || i || c.tool_call_id, 'message_id', 'copy_' || i || c.message_id))).*
    from calls c, generate_series(1, 2000) i where c.session_key = ${key} and c.state <> 'open'`
  await sql`analyze messages, calls`
}
