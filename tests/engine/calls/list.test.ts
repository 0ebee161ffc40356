import { expect, test } from 'vitest'
import type { WaitingCall } from '#lib/protocol/call/waiting-call.ts'
import { listSessions } from '#lib/sessions/list-sessions.ts'
import { listWaiting } from '#lib/sessions/list-waiting.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

/** A session with an open question, and so many more like it: every third waits for another system. */
async function waiting(more: number) {
  const world = await testWorld()
  const session = await world.session()
  await session.says(demo.asks('tea', 'coffee'))
  await world.sql`
    insert into calls select (jsonb_populate_record(c, jsonb_build_object(
      'tool_call_id', 'c' || n, 'deadline', c.deadline + make_interval(secs => n / 2),
      'where', case when n % 3 = 0 then 'external' else c.where end))).*
    from calls c, generate_series(1, ${more}) n where c.session_key = ${session.key}`
  return world
}

test('what waits comes in pages, nearest deadline first; no call is left out or told twice', async () => {
  const { ctx } = await waiting(1200)
  const seen: WaitingCall[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await listWaiting(ctx, cursor === undefined ? {} : { cursor })
    seen.push(...page.calls)
    cursor = page.nextCursor
  }
  expect(seen).toHaveLength(1201)
  expect(new Set(seen.map(({ toolCallId }) => toolCallId)).size).toBe(1201)
  const deadlines = seen.map(({ deadline }) => deadline)
  expect(deadlines).toEqual(deadlines.toSorted())
})

test('mine is a full page of what a person may answer, however much waits for other systems', async () => {
  const { ctx } = await waiting(1200)
  const { calls, nextCursor } = await listWaiting(ctx, { mine: true })
  expect(calls).toHaveLength(500)
  expect(calls.filter(({ where }) => where === 'external')).toEqual([])
  const rest = await listWaiting(ctx, { mine: true, cursor: nextCursor ?? '' })
  expect(calls.length + rest.calls.length).toBe(801)
})

const cursors = [
  'x',
  '',
  '1|1|x',
  '2026-01-01|x|y',
  '2026-01-01 00:00:00+00|99999999999999999999999|x',
  '2026-01-01 00:00:00+00|1|\0'
]

test('a cursor that is not one of ours is refused, whatever the database would make of it', async () => {
  const { ctx } = await testWorld()
  for (const text of cursors) {
    const cursor = Buffer.from(text).toString('base64url')
    await expect(listWaiting(ctx, { cursor }), text).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(listSessions(ctx, { cursor, limit: 5 }), text).rejects.toMatchObject({
      code: 'INVALID_INPUT'
    })
  }
})
