import { expect, test } from 'vitest'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { replyCalls, replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { expectValidSessions, isServerIdle } from '#tests/support/servers/expect-valid-sessions.ts'
import { ownPostgres } from '#tests/support/servers/own-postgres.ts'
import { retryUntilAnswered } from '#tests/support/servers/retry-until-answered.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test('a running server recovers by itself when Postgres is killed, and loses no accepted message', async () => {
  allowErrors(
    /notify listener|UNLISTEN|terminating connection|CONNECTION_|ECONNREFUSED|starting up|not yet accepting|recovery/
  )
  const postgres = await ownPostgres()
  const server = await startTestServer({
    database: postgres.url,
    script: request => {
      const text = JSON.stringify(request.body.messages)
      if (text.includes('ask me'))
        return text.includes('"yes') || text.includes('yes\\"')
          ? replyText('Thank you.')
          : replyCalls({ name: 'ask-question', input: { question: 'Tea?' } })
      if (text.includes('hold')) return replyThenHold('Half a')
      return replyText('Word for word.', { pace: 5 })
    }
  })
  const questionCall = await server.startSession()
  await questionCall.runTurn('ask me')
  const question = await questionCall.waitForCall('ask-question')
  const streaming = await server.startSession()
  await streaming.send('hold')
  await streaming.waitForText('Half a')
  const busy = await Promise.all(Array.from({ length: 3 }, () => server.startSession()))
  for (const session of busy) await session.runTurn('hello')

  const sending = busy.flatMap(session =>
    Array.from({ length: 8 }, (_, i) =>
      retryUntilAnswered(() => session.send(`message ${i}`, { key: `${i}`, whenBusy: 'queue' }))
    )
  )
  await postgres.kill()
  const receipts = await Promise.all(sending)
  expect(new Set(receipts.map(receipt => receipt.itemId)).size).toBe(24)

  server.model.release()
  await retryUntilAnswered(() => questionCall.answer(question, { output: { answer: 'yes' } }))
  await expect
    .poll(() => isServerIdle(server.sql).catch(() => false), { timeout: 120_000, interval: 100 })
    .toBe(true)
  await expectValidSessions(server.sql)
  expect((await questionCall.agentTexts()).at(-1)).toContain('Thank you.')
  expect((await streaming.get()).session.status).toBe('idle')
  expect(await server.server.health()).toMatchObject({ status: 'ok' })
  // The streams have delivered every event once and in order.
  for (const session of [...busy, streaming]) {
    const log = await session.log()
    await expect.poll(() => session.events.map(event => event.seq)).toEqual(log.map(event => event.seq))
  }
}, 180_000)
