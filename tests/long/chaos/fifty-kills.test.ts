import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Call } from '@waystation/protocol/call/call.ts'
import { expect, test } from 'vitest'
import { seeded } from '#tests/chaos/seeded.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import type { ModelRequest } from '#tests/support/fakes/model-request.ts'
import { type Reply, replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { expectValidSessions, isServerIdle } from '#tests/support/servers/expect-valid-sessions.ts'
import { ownPostgres } from '#tests/support/servers/own-postgres.ts'
import { retryUntilAnswered } from '#tests/support/servers/retry-until-answered.ts'
import { startTestServer, type TestSession } from '#tests/support/servers/test-server.ts'
import { startWorkerProcess, type WorkerProcess } from '#tests/support/servers/worker-process.ts'

const kills = 50
/** The number of kills of Postgres: every tenth. */
const postgresKills = 5

const lastContent = ({ body }: ModelRequest) => JSON.stringify(body.messages.at(-1)?.content)
/** Set `WAYSTATION_CHAOS_SEED` to repeat the same random choices. */
const seed = Number(process.env.WAYSTATION_CHAOS_SEED ?? randomInt(2 ** 31))
const random = seeded(seed, 'kills')
const pick = (n: number) => random.below(n)

/** Follows the newest message: answers with long text, fetches a page or asks a question. */
const follow =
  (site: string) =>
  (request: ModelRequest): Reply => {
    const [, kind, id] = /(talk|fetch|ask|leave) (\S+?) in/.exec(lastContent(request)) ?? []
    if (kind === 'fetch') return replyCalls({ name: 'web-fetch', input: { url: `${site}/${id}` } })
    if (kind === 'ask' || kind === 'leave')
      return replyCalls({ name: 'ask-question', input: { question: `${kind} ${id}` } })
    return replyText('a few words that take their time to be said', { pace: 10 + pick(30) })
  }

/**
 * Sends messages to one session one after the other and answers its questions until `going` returns false. Resolves
 * with the number of messages.
 */
async function converse(
  session: TestSession,
  unanswered: Map<string, Call>,
  going: () => boolean
): Promise<number> {
  const kinds = ['talk', 'fetch', 'ask', 'fetch', 'leave', 'talk']
  let n = 0
  for (; going(); n++) {
    const kind = kinds[(n + session.key) % kinds.length]
    const ended = session.waitForEnd()
    const text = `${kind} ${session.id}-${n} in ${session.id}`
    await retryUntilAnswered(() => session.send(text, { key: `${n}`, whenBusy: 'queue' }))
    if (n % 3 === 1) {
      const more = `talk ${session.id}-${n}b in ${session.id}`
      await retryUntilAnswered(() => session.send(more, { key: `${n}b`, whenBusy: 'steer' }))
    }
    const end = await ended
    if (end.outcome !== 'parked') continue
    for (const call of (await retryUntilAnswered(session.get)).session.waitingFor) {
      if ((call.input as { question: string }).question.startsWith('leave'))
        unanswered.set(call.toolCallId, call)
      else {
        const nextEnd = session.waitForEnd()
        await retryUntilAnswered(() =>
          session.send(`talk ${session.id}-${n}c in ${session.id}`, { key: `${n}c`, whenBusy: 'queue' })
        )
        await nextEnd
        await retryUntilAnswered(() => session.answer(call, { output: { answer: 'yes' } }))
      }
    }
  }
  return n
}

test('fifty kills of workers and Postgres at random moments under load: no message is lost, duplicated or reordered', async ({
  annotate
}) => {
  const externalSystem = await startExternalSystem(
    response => void pause(pick(300)).then(() => response.end('ok'))
  )
  const postgres = await ownPostgres()
  const server = await startTestServer({
    database: postgres.url,
    script: [],
    settings: { WAYSTATION_ROLE: 'web', WAYSTATION_EGRESS_ALLOW: externalSystem.host }
  })
  server.model.setScript(follow(externalSystem.url))
  await server.saveAgent({ chat: { tools: [{ name: 'web-fetch' }, { name: 'ask-question' }] } })
  const sessions = await Promise.all(Array.from({ length: 4 }, () => server.startSession('test')))

  let killed = 0
  const going = () => killed < kills
  const unanswered = new Map<string, Call>()
  const start = () => retryUntilAnswered(() => startWorkerProcess(server))
  const workers = [await start()]
  const counts = sessions.map(session => converse(session, unanswered, going))
  const starting = [start(), start()]
  while (going()) {
    await pause(pick(300))
    if (killed % (kills / postgresKills) === kills / postgresKills - 1) await postgres.kill()
    else {
      workers.push(await (starting.shift() as Promise<WorkerProcess>))
      starting.push(start())
      await workers.splice(pick(workers.length), 1)[0]?.kill()
    }
    killed += 1
  }
  await Promise.all(starting)
  const sent = (await Promise.all(counts)).reduce((sum, n) => sum + n, 0)
  await expect
    .poll(() => isServerIdle(server.sql).catch(() => false), { timeout: 120_000, interval: 100 })
    .toBe(true)

  await expectValidSessions(server.sql)
  const fetched = externalSystem.requests.map(request => request.path)
  expect(
    fetched.filter((path, i) => fetched.indexOf(path) !== i),
    'effects that happened twice'
  ).toEqual([])
  for (const { toolCallId, deadline, since } of unanswered.values())
    expect(
      await server.sql`select state from calls where tool_call_id = ${toolCallId}
      and date_trunc('milliseconds', deadline) = ${deadline} and date_trunc('milliseconds', since) = ${since}`
    ).toEqual([{ state: 'open' }])
  for (const { id } of sessions)
    expectPrefixes(server.model.requests.filter(({ body }) => JSON.stringify(body.messages).includes(id)))
  await annotate(
    `seed ${seed}: ${killed} kills (${postgresKills} of Postgres), ${sent} messages, ${server.model.requests.length} model calls, ${fetched.length} effects, ${unanswered.size} calls left open`
  )
}, 600_000)

/** Expects the prompt of each step to start with the prompt of the previous step. */
function expectPrefixes(requests: ModelRequest[]) {
  for (const [k, { body }] of requests.slice(1).entries()) {
    const before = requests[k]?.body.messages ?? []
    expect(
      JSON.stringify(body.messages.slice(0, before.length)) === JSON.stringify(before),
      `prompt ${k + 1}`
    ).toBe(true)
  }
}
