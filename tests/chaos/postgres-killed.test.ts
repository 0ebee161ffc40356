import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '#db/migrate.ts'
import { seed } from '#db/seed.ts'
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'
import { atRest, expectSoundSessions } from '#tests/support/facts.ts'
import { calls, holds, says } from '#tests/support/openai-replies.ts'
import { testEnv, testWorld } from '#tests/support/world.ts'

/** A durable Postgres of this test's own, to be killed; its supervisor starts it again. */
async function ownPostgres() {
  const dir = await mkdtemp(join(tmpdir(), 'waystation-killed-'))
  const server = await startEmbeddedPostgres({ dir, durable: true })
  onTestFinished(async () => {
    await server.stop()
    await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
  await migrate(server.url)
  await seed(server.url, testEnv(server.url, {}))
  const pid = async () => Number((await readFile(join(dir, 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])
  return { url: server.url, kill: async () => process.kill(await pid(), 'SIGKILL') }
}

/** Tries until the database takes it; the key makes it once. */
async function insist<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if ((error as { name?: string }).name === 'Refusal') throw error
      await pause(100)
    }
  }
}

test('Postgres is killed under a working world: it recovers by itself, and nothing that was accepted is lost', async () => {
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
      insist(() => session.send(`message ${i}`, { key: `${i}`, whenBusy: 'queue' }))
    )
  )
  await postgres.kill()
  const receipts = await Promise.all(sending)
  expect(new Set(receipts.map(receipt => receipt.itemId)).size).toBe(24)

  here.model.release()
  await insist(() => asked.answer(question, { output: { answer: 'yes' } }))
  await expect.poll(() => atRest(here.sql).catch(() => false), { timeout: 40_000, interval: 100 }).toBe(true)
  await expectSoundSessions(here.sql)
  expect((await asked.said()).at(-1)).toContain('Thank you.')
  expect((await held.get()).session.status).toBe('idle')
  expect(await here.world.health()).toMatchObject({ status: 'ok' })
  // Who followed all the while has seen everything, in order and once.
  for (const session of [...busy, held]) {
    const log = await session.log()
    await expect.poll(() => session.events.map(event => event.seq)).toEqual(log.map(event => event.seq))
  }
}, 90_000)
