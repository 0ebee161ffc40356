import { expect, test } from 'vitest'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test('a worker that owns a session without knowing it (its commit got no response) releases it, and the message is handled', async () => {
  const { ctx, startSession: openSession } = await startTestServer()
  const session = await openSession()
  const [worker] = await ctx.sql<{ id: string }[]>`select id from workers`
  // The database says that this live worker owns the session, but the process does not know.
  const unawareCtx: Ctx = { ...ctx, ports: { ...ctx.ports, claim: () => worker?.id } }
  const ended = session.waitForEnd()
  await sendMessage(unawareCtx, { sessionId: session.id, text: 'say hello', whenBusy: 'reject' })
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(await session.agentTexts()).toEqual(['hello'])
})
