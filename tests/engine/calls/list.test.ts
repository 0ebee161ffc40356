import type { WaitingCall } from '@waystation/protocol/call/waiting-call.ts'
import { expect, test } from 'vitest'
import { listPendingCalls } from '#lib/sessions/list-pending-calls.ts'
import { listSessions } from '#lib/sessions/list-sessions.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/**
 * Returns a session with an open question and this many more; every third one waits for an external system.
 */
async function sessionWithCalls(count: number) {
  const server = await startTestServer()
  const session = await server.startSession()
  await session.runTurn(demo.askToChoose('tea', 'coffee'))
  await server.sql`
    insert into calls select (jsonb_populate_record(c, jsonb_build_object(
      'tool_call_id', 'c' || n, 'deadline', c.deadline + make_interval(secs => n / 2),
      'where', case when n % 3 = 0 then 'external' else c.where end,
      'kind', case when n % 3 = 0 then 'external' else c.kind end))).*
    from calls c, generate_series(1, ${count}) n where c.session_key = ${session.key}`
  return server
}

test('pending calls come in pages, nearest deadline first, and each call is listed exactly once', async () => {
  const { ctx } = await sessionWithCalls(1200)
  const listedCalls: WaitingCall[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await listPendingCalls(ctx, cursor === undefined ? {} : { cursor })
    listedCalls.push(...page.calls)
    cursor = page.nextCursor
  }
  expect(listedCalls).toHaveLength(1201)
  expect(new Set(listedCalls.map(({ toolCallId }) => toolCallId)).size).toBe(1201)
  const deadlines = listedCalls.map(({ deadline }) => deadline)
  expect(deadlines).toEqual(deadlines.toSorted())
})

test('mine returns a full page of calls that a user can answer, however many wait for external systems', async () => {
  const { ctx } = await sessionWithCalls(1200)
  const { calls, nextCursor } = await listPendingCalls(ctx, { mine: true })
  expect(calls).toHaveLength(500)
  expect(calls.filter(({ where }) => where === 'external')).toEqual([])
  const restOfPage = await listPendingCalls(ctx, { mine: true, cursor: nextCursor ?? '' })
  expect(calls.length + restOfPage.calls.length).toBe(801)
})

const cursors = [
  'x',
  '',
  '1|1|x',
  '2026-01-01|x|y',
  '2026-01-01 00:00:00+00|99999999999999999999999|x',
  '2026-01-01 00:00:00+00|1|\0'
]

test('a cursor that the server did not issue is refused, even if the database could parse it', async () => {
  const { ctx } = await startTestServer()
  for (const text of cursors) {
    const cursor = Buffer.from(text).toString('base64url')
    await expect(listPendingCalls(ctx, { cursor }), text).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(listSessions(ctx, { cursor, limit: 5 }), text).rejects.toMatchObject({
      code: 'INVALID_INPUT'
    })
  }
})
