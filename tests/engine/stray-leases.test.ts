import { expect, test } from 'vitest'
import { takeSession } from '#lib/engine/worker/lease.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

test('a worker that owns a session without knowing it (its commit went unanswered) lets go, and the message is handled', async () => {
  const { ctx, session: open } = await testWorld()
  const session = await open()
  const [worker] = await ctx.sql<{ id: string }[]>`select id from workers`
  // The database says this live worker took the session; the process never heard of it.
  const adopt = (tx: Ctx, sessionKey: number) => takeSession(tx, sessionKey, worker?.id ?? '', 1, 'adopted')
  const deaf: Ctx = { ...ctx, ports: { ...ctx.ports, claim: adopt } }
  const ended = session.ends()
  await sendMessage(deaf, { sessionId: session.id, text: 'say hello', whenBusy: 'reject' })
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(await session.said()).toEqual(['hello'])
})
