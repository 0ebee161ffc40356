import { expect, test } from 'vitest'
import { cancelAttempt } from '#lib/features/connections/attempt.ts'
import { connectionOfCall } from '#lib/features/connections/connection-of-call.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { begin, withAcme } from '#tests/support/fakes/connect-accounts.ts'
import { by, eveIn, person } from '#tests/support/servers/actors.ts'

test('the account of a call has the newest open attempt of the caller, and of no other user, until it ends', async () => {
  const server = await withAcme()
  const { sessionId } = await createSession(server.ctx, { agentId: 'acme-clerk' })
  const ada = by(server.ctx, person('ada'))
  const session = await server.reopenSession(sessionId, ada)
  await session.runTurn('connect acme')
  const { toolCallId } = (await session.get()).calls.at(-1)!
  const attemptOf = async (ctx: typeof ada) =>
    (await connectionOfCall(ctx, { sessionId, toolCallId })).attempt
  expect(await attemptOf(ada)).toBeUndefined()
  await begin(ada, session, { toolCallId })
  const { attemptId } = await begin(ada, session, { toolCallId })
  expect(await attemptOf(ada)).toEqual({ attemptId, mode: 'oauth', expiresAt: expect.any(String) })
  expect(await attemptOf(by(server.ctx, person('bob')))).toBeUndefined()
  expect(await attemptOf(by(server.ctx, eveIn(sessionId)))).toBeUndefined()
  await server.advanceTime(11 * 60)
  expect(await attemptOf(ada)).toBeUndefined()
  const later = await begin(ada, session, { toolCallId })
  expect(await attemptOf(ada)).toMatchObject({ attemptId: later.attemptId })
  await cancelAttempt(ada, later)
  expect(await attemptOf(ada)).toBeUndefined()
})
