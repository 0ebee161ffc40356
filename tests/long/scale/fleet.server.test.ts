import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { replyCalls, replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startRedis, withRedis } from '#tests/support/servers/redis-server.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { readerOf } from './reader.ts'

const isEnd = (event: SessionEvent) => event.type === 'status' && event.outcome !== undefined

const wordsUpTo = (n: number) => Array.from({ length: n }, (_, i) => `word${i}`).join(' ')

/** Returns the seqs of a session's log from the database. */
const logOf = async ({ sql }: Fleet, sessionId: string) =>
  (
    await sql<{ seq: string }[]>`
      select e.seq from events e join sessions s on s.key = e.session_key where s.id = ${sessionId} order by e.seq`
  ).map(({ seq }) => Number(seq))

const setups = [
  {
    line: 'Postgres alone',
    needed: { test, describe },
    setUp: async () => ({ settings: {}, end: async () => {} })
  },
  {
    line: 'Postgres and Redis',
    needed: withRedis,
    setUp: async () => {
      const { url, kill } = await startRedis()
      return { settings: { REDIS_URL: url }, end: kill }
    }
  }
]

/** The tests of a fleet run in sequence. At the end, one worker and one web server are left. */
for (const { line, needed, setUp } of setups)
  needed.describe(`two web servers and two workers on ${line}`, () => {
    let fleet: Fleet
    let end = async () => {}
    beforeAll(async () => {
      const services = await setUp()
      end = services.end
      fleet = await startFleet(services.settings)
      // Five processes start, one after the other on a busy machine.
    }, 240_000)
    afterAll(async () => {
      await fleet?.stop()
      await end()
    }, 60_000)

    test('a message to one web server is answered by a worker and streamed by the other web server, and so is an answer', async () => {
      const { webs, model } = fleet
      const [a, b] = webs
      model.setScript([
        replyCalls({ name: 'ask-question', input: { question: 'Tea or coffee?', inputType: 'text' } }),
        replyText('Tea it is.')
      ])
      await a.create('guide', 'across')
      const reader = readerOf('across')
      const parked = reader.read(b, isEnd)
      await a.post('/sessions/across/messages', { text: 'offer me something' })
      expect(await parked).toBe('enough')
      const call = (await b.get('/sessions/across')).session?.waitingFor[0]
      expect(call).toMatchObject({ toolName: 'ask-question' })
      await b.post(`/sessions/across/calls/${call?.toolCallId}/answer`, { output: { answer: 'tea' } })
      await reader.read(a, isEnd)
      expect(reader.text()).toContain('Tea it is.')
      expect(reader.events.map(({ seq }) => seq)).toEqual(await logOf(fleet, 'across'))
    })

    test('a reader that alternates between web servers in the middle of a stream sees the log once and in order', async () => {
      const { webs, model } = fleet
      model.setScript([replyText(wordsUpTo(60), { pace: 15 })])
      await webs[0].create('guide', 'hops')
      await webs[1].post('/sessions/hops/messages', { text: 'count' })
      const reader = readerOf('hops')
      let over = false
      let hops = 0
      while (!over) {
        const until = reader.events.length + 7
        await reader.read(webs[hops++ % 2 === 0 ? 0 : 1], event => {
          over = isEnd(event)
          return over || reader.events.length >= until
        })
      }
      expect(hops).toBeGreaterThan(3)
      expect(reader.text()).toBe(wordsUpTo(60))
      expect(reader.events.map(({ seq }) => seq)).toEqual(await logOf(fleet, 'hops'))
    })

    test('a web server that stops ends its streams with a retry hint, and their readers continue at the other server', async () => {
      const { webs, model } = fleet
      const [a, b] = webs
      model.setScript([replyThenHold(wordsUpTo(5))])
      await a.create('guide', 'moving')
      const reader = readerOf('moving')
      let resolveSpoken = () => {}
      const spoken = new Promise<void>(resolve => {
        resolveSpoken = resolve
      })
      const ended = reader.read(a, () => {
        if (reader.text().includes('word4')) resolveSpoken()
        return false
      })
      await a.post('/sessions/moving/messages', { text: 'count' })
      await spoken
      a.process.kill('SIGTERM')
      expect(await ended).toBe('ended')
      expect(reader.retry).toBe(1000)
      model.release()
      expect(await reader.read(b, isEnd)).toBe('enough')
      expect(await a.exited).toBe(0)
      expect(reader.text()).toBe(wordsUpTo(5))
      expect(reader.events.map(({ seq }) => seq)).toEqual(await logOf(fleet, 'moving'))
    })

    test('a worker that stops in the middle of a turn hands it off, and the other worker continues at once', async ({
      annotate
    }) => {
      const { webs, workers, model, sql } = fleet
      const web = webs[1]
      // Held responses do not block any longer, so the first response streams slowly instead.
      model.setScript([replyText(wordsUpTo(400), { pace: 50 }), replyText('Here I go on.')])
      const before = model.requests.length
      await web.create('guide', 'handed')
      const reader = readerOf('handed')
      const ended = reader.read(web, isEnd)
      await web.post('/sessions/handed/messages', { text: 'tell me a story' })
      await model.request(before)
      const [session] = await sql<{ owner: string }[]>`
        select h.owner from heads h join sessions s on s.key = h.session_key where s.id = 'handed'`
      const owner = workers.find(({ worker }) => worker === session?.owner)
      const from = performance.now()
      owner?.process.kill('SIGTERM')
      await model.request(before + 1)
      const took = performance.now() - from
      await annotate(`the model was asked again ${took.toFixed(0)} ms after SIGTERM`)
      const [turn] = await sql`
        select t.crashes from turns t join sessions s on s.key = t.session_key where s.id = 'handed'`
      expect(turn, 'it was handed over, not found dead').toEqual({ crashes: 0 })
      expect(await owner?.exited).toBe(0)
      await ended
      expect(reader.text()).toMatch(/Here I go on\.$/)
      expect(reader.events.map(({ seq }) => seq)).toEqual(await logOf(fleet, 'handed'))
      await expectValidSessions(sql)
    })
  })
