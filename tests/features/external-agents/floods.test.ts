import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { expect, test } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { callbackLinkOf } from '#lib/features/external-agents/callback-link-of.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { holdHead, lockWaits } from '#tests/support/servers/lock-waits.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/** Creates this many sessions, and returns functions that reply to one of them and read its texts. */
async function sessionsOf(count: number) {
  const server = await startTestServer()
  const external = { inputUrl: 'https://acme.example/in' }
  await createAgent(
    server.ctx,
    AgentConfig.parse({ agentId: 'acme', displayName: 'Acme', type: 'external', external })
  )
  const ids = Array.from({ length: count }, (_, n) => `flood-${n}`)
  for (const sessionId of ids) await createSession(server.ctx, { agentId: 'acme', sessionId })
  const links = await Promise.all(ids.map(sessionId => callbackLinkOf(server.ctx, { sessionId })))
  const tokens = links.map(({ callbackUrl }) => new URL(callbackUrl).searchParams.get('token') ?? '')
  const reply = async (n: number, raw: string) => {
    const query = { token: tokens[n] ?? '' }
    const { status } = await requestEndpoint(externalOperations.callback, {
      params: { sessionId: ids[n] ?? '' },
      query,
      raw
    })
    return status
  }
  const texts = async (n: number) => {
    const { messages } = await getSession(server.ctx, { sessionId: ids[n] ?? '' })
    return messages.map(({ parts }) => (parts[0] as { text?: string }).text)
  }
  const keyOf = async (n: number) => {
    const [row] = await server.sql<{ key: number }[]>`select key from sessions where id = ${ids[n] ?? ''}`
    return row?.key ?? 0
  }
  return { ...server, reply, texts, keyOf }
}

test('a flood of replies to many sessions is stored, each reply once', async () => {
  const { reply, texts, sql } = await sessionsOf(7)
  const sent = Array.from({ length: 140 }, (_, i) => reply(i % 7, `reply ${i}`))
  expect(new Set(await Promise.all(sent))).toEqual(new Set([200]))
  for (let n = 0; n < 7; n++)
    expect((await texts(n)).sort()).toEqual(Array.from({ length: 20 }, (_, i) => `reply ${n + 7 * i}`).sort())
  expect(await sql`select from audit`).toHaveLength(140)
  await expectValidSessions(sql)
})

test('a locked session does not delay the others, and its own reply is stored when the lock is released', async () => {
  const { reply, texts, keyOf, sql } = await sessionsOf(3)
  const lock = await holdHead(sql, await keyOf(0))
  const waitingReply = reply(0, 'late')
  expect(await Promise.all([reply(1, 'one'), reply(2, 'two'), reply(1, 'one more')])).toEqual([200, 200, 200])
  expect(await texts(0)).toEqual([])
  await lock.release()
  expect(await waitingReply).toBe(200)
  expect(await texts(0)).toEqual(['late'])
  expect((await texts(1)).sort()).toEqual(['one', 'one more'])
})

test('a reply that the database rejects fails alone: other replies of the same batch are stored', async () => {
  allowErrors(/a request failed/)
  const { reply, texts, sql } = await sessionsOf(4)
  await sql`alter table messages add constraint nothing_cursed check (message::text not like '%cursed%')`
  const statuses = await Promise.all([
    reply(0, 'fine'),
    reply(1, 'cursed'),
    reply(2, 'fine'),
    reply(3, 'fine')
  ])
  expect(statuses).toEqual([200, 500, 200, 200])
  expect(await Promise.all([0, 1, 2, 3].map(texts))).toEqual([['fine'], [], ['fine'], ['fine']])
  expect(await reply(1, 'and this one is as welcome as ever')).toBe(200)
  await expectValidSessions(sql)
})

test('a reply whose connection breaks is reported as unknown, and never stored twice', async () => {
  allowErrors(/a request failed/)
  const { reply, texts, keyOf, sql } = await sessionsOf(1)
  const key = await keyOf(0)
  let waitingReply: Promise<unknown> | undefined
  await sql.begin(async tx => {
    // A reply locks the row of its session last, so it waits here after all its other writes.
    await tx`select from sessions where key = ${key} for update`
    waitingReply = reply(0, 'once')
    await lockWaits(sql, 1)
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
  })
  const status = await waitingReply
  expect([200, 503]).toContain(status)
  expect(await texts(0)).toEqual(status === 200 ? ['once'] : [])
  await expectValidSessions(sql)
})
