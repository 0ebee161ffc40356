import { expect, test } from 'vitest'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { calls, holds, says } from '#tests/support/fakes/openai-replies.ts'
import { ownPostgres } from '#tests/support/worlds/own-postgres.ts'
import { retryUntilAnswered } from '#tests/support/worlds/retry-until-answered.ts'
import { atRest, expectSoundSessions } from '#tests/support/worlds/sound-sessions.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

test('Postgres is killed under a working world: it recovers by itself, and nothing that was accepted is lost', async () => {
  allowErrors(
    /notify listener|UNLISTEN|terminating connection|CONNECTION_|ECONNREFUSED|starting up|not yet accepting|recovery/
  )
  const postgres = await ownPostgres()
  const here = await testWorld({
    database: postgres.url,
    script: request => {
      const words = JSON.stringify(request.body.messages)
      if (words.includes('ask me'))
        return words.includes('"yes') || words.includes('yes\\"')
          ? says('Thank you.')
          : calls({ name: 'ask-question', input: { question: 'Tea?' } })
      if (words.includes('hold')) return holds('Half a')
      return says('Word for word.', { pace: 5 })
    }
  })
  const asked = await here.session()
  await asked.says('ask me')
  const question = await asked.waitsFor('ask-question')
  const held = await here.session()
  await held.send('hold')
  await held.reads('Half a')
  const busy = await Promise.all(Array.from({ length: 3 }, () => here.session()))
  for (const session of busy) await session.says('hello')

  const sending = busy.flatMap(session =>
    Array.from({ length: 8 }, (_, i) =>
      retryUntilAnswered(() => session.send(`message ${i}`, { key: `${i}`, whenBusy: 'queue' }))
    )
  )
  await postgres.kill()
  const receipts = await Promise.all(sending)
  expect(new Set(receipts.map(receipt => receipt.itemId)).size).toBe(24)

  here.model.release()
  await retryUntilAnswered(() => asked.answer(question, { output: { answer: 'yes' } }))
  await expect.poll(() => atRest(here.sql).catch(() => false), { timeout: 120_000, interval: 100 }).toBe(true)
  await expectSoundSessions(here.sql)
  expect((await asked.said()).at(-1)).toContain('Thank you.')
  expect((await held.get()).session.status).toBe('idle')
  expect(await here.world.health()).toMatchObject({ status: 'ok' })
  // Who followed all the while has seen everything, in order and once.
  for (const session of [...busy, held]) {
    const log = await session.log()
    await expect.poll(() => session.events.map(event => event.seq)).toEqual(log.map(event => event.seq))
  }
}, 180_000)
