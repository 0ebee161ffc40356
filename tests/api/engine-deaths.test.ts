import { expect, test } from 'vitest'
import type { Lease } from '#lib/events/head.ts'
import { Limits } from '#lib/protocol/agent.ts'
import { beginStep } from '#lib/sessions/begin-step.ts'
import { commitStep } from '#lib/sessions/commit-step.ts'
import { retryTurn } from '#lib/sessions/retry-turn.ts'
import { takeSession } from '#lib/sessions/wake.ts'
import { reap, register, resign } from '#lib/sessions/worker-row.ts'
import { resolveTools } from '#lib/tools/resolve.ts'
import { says } from '#tests/support/openai-replies.ts'
import { type TestSession, type TestWorld, testWorld } from '#tests/support/world.ts'

/** A worker that takes the session and begins the step. */
async function begins({ ctx, sql }: TestWorld, { key }: TestSession) {
  const workerId = await register(sql)
  const lease = await takeSession(ctx, key, workerId, 1)
  if (lease === undefined) throw new Error('The session was not there to be taken.')
  const begun = await beginStep(ctx, lease, Limits.parse({}))
  if (begun.kind !== 'step') throw new Error('There was no step to begin.')
  return { lease, messageId: begun.messageId }
}

async function dies({ sql }: TestWorld, { workerId }: Lease): Promise<void> {
  await sql`update workers set beat_at = beat_at - interval '1 minute' where id = ${workerId}`
  expect(await reap(sql)).toBe(1)
}

test('a step over which ten workers died in a row is not begun again by itself; "Retry now" begins it', async () => {
  const world = await testWorld({ script: [says('At last.')], settings: { WAYSTATION_ROLE: 'web' } })
  const session = await world.session()
  await session.send('hello')
  for (let death = 0; death < 10; death++) await dies(world, (await begins(world, session)).lease)

  await world.second({ WAYSTATION_ROLE: 'worker' })
  expect(await session.ends()).toMatchObject({ outcome: 'failed', error: { code: 'WORKER_DIED' } })
  expect(world.model.requests).toEqual([])
  const ended = session.ends()
  await retryTurn(world.ctx, { sessionId: session.id })
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(await session.said()).toEqual(['At last.'])
})

test('deaths over a step that was committed since, and workers that stop cleanly, do not count', async () => {
  const world = await testWorld({ script: [says('At last.')], settings: { WAYSTATION_ROLE: 'web' } })
  const session = await world.session()
  await session.send('hello')
  for (let death = 0; death < 9; death++) await dies(world, (await begins(world, session)).lease)
  for (let stop = 0; stop < 5; stop++) await resign(world.sql, (await begins(world, session)).lease.workerId)
  const { lease, messageId } = await begins(world, session)
  const call = { toolCallId: 'c', toolName: 'web-fetch', input: { url: 'http://127.0.0.1:1/' } }
  const step = { content: [], calls: [call], usage: { inputTokens: 1, outputTokens: 1 } }
  await commitStep(world.ctx, lease, messageId, step, resolveTools([{ name: 'web-fetch' }], []), 0)
  await dies(world, lease)

  await world.second({ WAYSTATION_ROLE: 'worker' })
  expect(await session.ends()).toMatchObject({ outcome: 'done' })
  expect(await session.said()).toEqual(['At last.'])
})
