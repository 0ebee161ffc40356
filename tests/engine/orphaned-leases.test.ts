import { expect, test } from 'vitest'
import { claimHead } from '#lib/engine/worker/lease.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test('a worker that owns a session without knowing it (its commit got no response) releases it, and the message is handled', async () => {
  const { ctx, startSession: openSession } = await startTestServer()
  const session = await openSession()
  const [worker] = await ctx.sql<{ id: string }[]>`select id from workers`
  // The database says that this live worker owns the session, but the process does not know.
  const claimSilently = (tx: Ctx, sessionKey: number) =>
    claimHead(tx, sessionKey, worker?.id ?? '', 1, 'adopted')
  const unawareCtx: Ctx = { ...ctx, ports: { ...ctx.ports, claim: claimSilently } }
  const ended = session.waitForEnd()
  await sendMessage(unawareCtx, { sessionId: session.id, text: 'say hello', whenBusy: 'reject' })
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(await session.agentTexts()).toEqual(['hello'])
})
