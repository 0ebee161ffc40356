import type { Chunk, ChunkEvent } from '@waystation/protocol/session/event.ts'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '#db/client.ts'
import { inTransaction } from '#db/transaction.ts'
import { featurePorts } from '#lib/compose/extensions.ts'
import { commitHost } from '#lib/compose/turn/commit-host.ts'
import {
  claimCalls,
  outcomeUnknown,
  recordCall,
  recoverClaims,
  unclaimCalls
} from '#lib/engine/calls/claim.ts'
import { BatchWriter } from '#lib/engine/log/batch-writer.ts'
import { type Lease, LeaseLost, lockSessionByKey } from '#lib/engine/log/session-lock.ts'
import { commitStep } from '#lib/engine/worker/commit-step.ts'
import { endOwnTurn } from '#lib/engine/worker/end-turn.ts'
import { claimHead, register } from '#lib/engine/worker/lease.ts'
import { releaseWaiting, waitForRetry } from '#lib/engine/worker/wait-for-retry.ts'
import type { Ports } from '#lib/kernel/ctx.ts'
import { resolveTools } from '#lib/tools/resolve.ts'
import { startProxy } from '#tests/chaos/proxy.ts'
import { beginLiveStep } from '#tests/support/begin-live-step.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { guide } from '#tests/support/servers/guide.ts'
import { holdHead, lockWaits } from '#tests/support/servers/lock-waits.ts'
import { startTestServer, type TestServer, type TestSession } from '#tests/support/servers/test-server.ts'

const revisionRun = { agentId: 'test', revision: 1 }
const host = (messageId: string, approval?: 'ask') =>
  commitHost({
    messageId,
    agentId: 'test',
    tools: resolveTools(featurePorts() as Ports, [{ name: 'web-fetch', ...(approval && { approval }) }], [])
  })
const step = (...names: string[]) => ({
  content: [{ type: 'text' as const, text: 'Looking.' }],
  calls: names.map((toolName, i) => ({
    toolCallId: `c${i}`,
    toolName,
    input: { url: 'http://127.0.0.1:1/' }
  })),
  usage: { inputTokens: 1, outputTokens: 1 }
})

/** Returns a server without a worker: the test acts as the worker and takes the leases it needs. */
async function startServerWithoutWorker() {
  const server = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
  const workerId = await register(server.sql)
  return { ...server, workerId }
}

async function leased(
  server: TestServer & { workerId: string }
): Promise<{ session: TestSession; lease: Lease }> {
  const session = await server.startSession()
  await session.send('hello')
  const lease = await claimHead(server.ctx, session.key, server.workerId, 1)
  if (lease === undefined) throw new Error('The session was not there to be taken.')
  return { session, lease }
}

/** Takes over a session; for the old owner only the changed owner and epoch matter. */
const takeOver = (server: TestServer, { sessionKey }: Lease) =>
  server.sql`update heads set owner = null, epoch = epoch + 1 where session_key = ${sessionKey}`

/** Returns every row of the session, to prove that nothing is written. */
async function sessionRows(server: TestServer, { sessionKey }: Lease) {
  const tables = ['heads', 'calls', 'inbox', 'events', 'messages', 'context', 'turns'] as const
  return Promise.all(
    tables.map(
      table => server.sql`select * from ${server.sql(table)} where session_key = ${sessionKey} order by 1, 2`
    )
  )
}

const takeovers = [
  ['was taken over', takeOver],
  // If Postgres loses a claim in a crash, another worker can claim with the same epoch.
  [
    'was taken by another worker at the same epoch',
    async (server: TestServer, { sessionKey }: Lease) =>
      server.sql`update heads set owner = ${await register(server.sql)} where session_key = ${sessionKey}`
  ]
] as const

test.each(takeovers)(
  'a worker whose session %s can start, commit, claim, record, end and release nothing',
  async (_, takeOver) => {
    const server = await startServerWithoutWorker()
    const { lease } = await leased(server)
    const startedStep = await beginLiveStep(server.ctx, lease, guide)
    if (startedStep.kind !== 'step') throw new Error('The message did not start a step.')
    await commitStep(
      server.ctx,
      lease,
      startedStep.messageId,
      step('web-fetch'),
      revisionRun,
      0,
      host(startedStep.messageId)
    )
    await claimCalls(server.ctx, lease)
    await takeOver(server, lease)
    const before = await sessionRows(server, lease)

    const error = { code: 'X', message: 'x', retryable: true }
    const tries: [string, () => Promise<unknown>][] = [
      ['begin', () => beginLiveStep(server.ctx, lease, guide)],
      [
        'commit',
        () =>
          commitStep(
            server.ctx,
            lease,
            startedStep.messageId,
            step(),
            revisionRun,
            0,
            host(startedStep.messageId)
          )
      ],
      ['claim', () => claimCalls(server.ctx, lease)],
      ['record', () => recordCall(server.ctx, lease, 'c0', { type: 'output', value: 'late' }, { tokens: 1 })],
      ['end', () => endOwnTurn(server.ctx, lease, { outcome: 'done' })],
      ['wait for a retry', () => waitForRetry(server.ctx, lease, error, 1)],
      ['let go', () => releaseWaiting(server.ctx, lease)]
    ]
    for (const [name, attempt] of tries) {
      await expect(attempt(), name).rejects.toThrow(LeaseLost)
      expect(await sessionRows(server, lease), name).toEqual(before)
    }
  }
)

test('of two workers that claim the same session at once, one gets it and the other learns that it is taken', async () => {
  const server = await startServerWithoutWorker()
  const session = await server.startSession()
  await session.send('hello')
  const other = await register(server.sql)
  const leases = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      claimHead(server.ctx, session.key, i % 2 ? other : server.workerId, 1)
    )
  )
  expect(leases.filter(lease => lease !== undefined)).toHaveLength(1)
  const [sessionRow] = await server.sql`select epoch from heads where session_key = ${session.key}`
  expect(sessionRow).toEqual({ epoch: 1 })
})

test('a session of a newer format is left to newer workers', async () => {
  const server = await startServerWithoutWorker()
  const session = await server.startSession()
  await session.send('hello')
  await server.sql`update heads set format = 2 where session_key = ${session.key}`
  expect(await claimHead(server.ctx, session.key, server.workerId, 1)).toBeUndefined()
  expect(await claimHead(server.ctx, session.key, server.workerId, 2)).toMatchObject({ epoch: 1 })
})

test('a message to a session of a newer format is stored, and the worker of this process does not take it', async () => {
  const server = await startTestServer()
  const session = await server.startSession()
  await server.sql`update heads set format = 2 where session_key = ${session.key}`
  await session.send('hello')
  const [head] = await server.sql`select owner, has_work, epoch from heads where session_key = ${session.key}`
  expect(head).toEqual({ owner: null, hasWork: 1, epoch: 0 })
})

/** Returns a batch writer, and what it reported about each session. */
function batchWriter(server: TestServer, sql = server.sql) {
  const notified: string[] = []
  const appender = new BatchWriter(sql, () => undefined)
  const push = ({ sessionKey }: Lease, lease: Lease, chunk: object) => {
    const event = { type: 'chunk', messageId: 'm', turnId: 't', chunk: chunk as Chunk } satisfies ChunkEvent
    appender.push(lease, event, {
      onLost: () => notified.push(`lost ${sessionKey}`),
      onCancel: turn => notified.push(`cancel ${turn}`)
    })
  }
  return { appender, notified, push: (lease: Lease, chunk: object) => push(lease, lease, chunk) }
}

const chunksOf = async (server: TestServer, { sessionKey }: Lease) =>
  (
    await server.sql<{ chunk: Chunk }[]>`
    select payload -> 'chunk' as chunk from events where session_key = ${sessionKey} and type = 'chunk' order by seq`
  ).map(row => row.chunk)

test('text whose write got no response is never written again, nor is anything after it under that lease', async () => {
  allowErrors(/could not write its chunks/)
  const server = await startServerWithoutWorker()
  const leases = [(await leased(server)).lease, (await leased(server)).lease]
  const proxyUrl = new URL(server.databaseUrl())
  const proxy = await startProxy(Number(proxyUrl.port))
  proxyUrl.port = String(proxy.port)
  const sql = connect(proxyUrl.href, { max: 1 })
  onTestFinished(async () => {
    await sql.end({ timeout: 1 })
    await proxy.close()
  })
  await sql`select 1`
  const { appender, notified, push } = batchWriter(server, sql)
  proxy.lose('answer', 1)
  for (const lease of leases) push(lease, { type: 'text-start', id: '0' })
  for (const lease of leases) await appender.settled(lease.sessionKey)
  expect(proxy.lost.answer).toBe(1)
  const lostReports = leases.map(({ sessionKey }) => `lost ${sessionKey}`)
  expect(notified).toEqual(lostReports)
  for (const lease of leases) push(lease, { type: 'text-delta', id: '0', delta: 'and more' })
  for (const lease of leases) await appender.settled(lease.sessionKey)
  expect(notified).toEqual([...lostReports, ...lostReports])
  for (const lease of leases) expect(await chunksOf(server, lease)).toEqual([{ type: 'text-start', id: '0' }])
})

test('a step whose text could not be written is not stored: it runs again in full', async () => {
  allowErrors(/could not write its chunks/)
  let lock: Awaited<ReturnType<typeof holdHead>> | undefined
  const storyText = 'Once upon a time there was tea.'
  const server = await startTestServer({
    script: async (_request, index) => {
      // The statement that writes its text waits for the session lock.
      if (index === 0) lock = await holdHead(server.sql, session.key)
      return index === 0 ? replyThenHold(storyText) : replyText(storyText)
    }
  })
  await server.saveAgent({})
  const session = await server.startSession('test')
  await session.send('tell me a story')
  const killed = () => server.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'waystation-live' and datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await killed()).length).toBe(1)
  await lock?.release()
  await session.waitForEvent(event => event.type === 'status' && event.outcome === 'done')
  expect(await session.agentTexts()).toEqual([storyText])
  expect(server.model.requests).toHaveLength(2)
})

test.each(takeovers)(
  'in one batch a session that %s is reported as lost, and the others are written',
  async (_, takeOver) => {
    const server = await startServerWithoutWorker()
    const leases = [await leased(server), await leased(server), await leased(server)].map(
      ({ lease }) => lease
    ) as [Lease, Lease, Lease]
    await takeOver(server, leases[1])
    const { appender, notified, push } = batchWriter(server)
    for (const lease of leases) push(lease, { type: 'text-start', id: '0' })
    for (const lease of leases) await appender.settled(lease.sessionKey)
    expect(notified).toEqual([`lost ${leases[1].sessionKey}`])
    expect(await Promise.all(leases.map(lease => chunksOf(server, lease)))).toEqual([
      [{ type: 'text-start', id: '0' }],
      [],
      [{ type: 'text-start', id: '0' }]
    ])
  }
)

test('a session whose lock is held elsewhere does not delay the others, and loses nothing', async () => {
  const server = await startServerWithoutWorker()
  const { lease: stalled } = await leased(server)
  const { lease: unlocked } = await leased(server)
  // A writer that waited for the lock would wait as long as the test runs.
  const patientSql = connect(`${server.databaseUrl()}?lock_timeout=600000`, { max: 4 })
  onTestFinished(() => patientSql.end({ timeout: 1 }))
  const { appender, notified, push } = batchWriter(server, patientSql)
  const lock = await holdHead(server.sql, stalled.sessionKey)
  for (let i = 0; i < 8; i++) {
    push(stalled, { type: 'text-start', id: `${i}` })
    push(unlocked, { type: 'text-start', id: `${i}` })
    await appender.settled(unlocked.sessionKey)
  }
  // After being skipped three times, it waits for its lock in its own statement.
  await lockWaits(server.sql, 1)
  expect(await chunksOf(server, unlocked)).toHaveLength(8)
  expect(await chunksOf(server, stalled)).toHaveLength(0)
  await lock.release()
  await appender.settled(stalled.sessionKey)
  expect((await chunksOf(server, stalled)).map(chunk => 'id' in chunk && chunk.id)).toEqual([
    '0',
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
    '7'
  ])
  expect(notified).toEqual([])
})

test('a chunk that cannot be written fails only its own session', async () => {
  allowErrors(/could not write its chunks/)
  const server = await startServerWithoutWorker()
  const { lease: unwritable } = await leased(server)
  const { lease: writable } = await leased(server)
  // Adds a database constraint that only this session’s rows violate.
  await server.sql.unsafe(
    `alter table events add constraint refuses check (session_key <> ${unwritable.sessionKey} or type <> 'chunk')`
  )
  const { appender, notified, push } = batchWriter(server)
  push(unwritable, { type: 'text-start', id: '0' })
  push(writable, { type: 'text-start', id: '0' })
  await appender.settled(unwritable.sessionKey)
  await appender.settled(writable.sessionKey)
  expect(notified).toEqual([`lost ${unwritable.sessionKey}`])
  expect(await chunksOf(server, writable)).toHaveLength(1)
  const [sessionRow] =
    await server.sql`select seq, (select max(seq) from events e where e.session_key = h.session_key) as last from heads h where session_key = ${unwritable.sessionKey}`
  expect(sessionRow?.seq).toBe(sessionRow?.last)
})

test('NUL and unpaired surrogates are written as U+FFFD, and pending deltas become one event', async () => {
  const server = await startServerWithoutWorker()
  const { lease } = await leased(server)
  const { appender, push } = batchWriter(server)
  push(lease, { type: 'text-start', id: '0' })
  for (const delta of ['a\0', '\ud83d', 'b']) push(lease, { type: 'text-delta', id: '0', delta })
  await appender.settled(lease.sessionKey)
  const deltas = (await chunksOf(server, lease)).slice(1).map(chunk => 'delta' in chunk && chunk.delta)
  expect(deltas.join('')).toBe('a\ufffd\ufffdb')
  expect(deltas).toHaveLength(1)
})

test('an older lease of a session takes nothing from a newer one in the same process', async () => {
  const server = await startServerWithoutWorker()
  const { lease } = await leased(server)
  const { appender, notified, push } = batchWriter(server)
  push(lease, { type: 'text-start', id: 'new' })
  push({ ...lease, epoch: lease.epoch - 1 }, { type: 'text-start', id: 'old' })
  appender.drop({ ...lease, workerId: 'another' })
  await appender.settled(lease.sessionKey)
  expect(notified).toEqual([`lost ${lease.sessionKey}`])
  expect(await chunksOf(server, lease)).toEqual([{ type: 'text-start', id: 'new' }])
})

test('an append learns that its turn must stop', async () => {
  const server = await startServerWithoutWorker()
  const { session, lease } = await leased(server)
  const { turnId } = await session.cancel()
  const { appender, notified, push } = batchWriter(server)
  push(lease, { type: 'text-start', id: '0' })
  await appender.settled(lease.sessionKey)
  expect(notified).toEqual([`cancel ${turnId}`])
})

test('a call whose claim was returned shows as not running, and is claimed again', async () => {
  const server = await startServerWithoutWorker()
  const { lease } = await leased(server)
  const startedStep = await beginLiveStep(server.ctx, lease, guide)
  if (startedStep.kind !== 'step') throw new Error('The message did not start a step.')
  const { messageId } = startedStep
  await commitStep(server.ctx, lease, messageId, step('web-fetch'), revisionRun, 0, host(messageId))
  expect(await claimCalls(server.ctx, lease)).toHaveLength(1)
  expect(await claimCalls(server.ctx, lease)).toEqual([])
  const claimEvents = async () =>
    (
      await server.sql`select payload #>> '{call,claimedAt}' as at from events where type = 'call' order by seq desc limit 1`
    )[0]
  expect(await claimEvents()).toEqual({ at: expect.any(String) })
  await unclaimCalls(server.ctx, lease, ['c0'])
  expect(await claimEvents()).toEqual({ at: null })
  expect(await claimCalls(server.ctx, lease)).toMatchObject([{ toolCallId: 'c0', result: null }])
})

test('a call that a dead worker had claimed runs again if its tool declares that safe; otherwise its outcome is unknown', async () => {
  const server = await startServerWithoutWorker()
  const { lease } = await leased(server)
  const startedStep = await beginLiveStep(server.ctx, lease, guide)
  if (startedStep.kind !== 'step') throw new Error('The message did not start a step.')
  await commitStep(
    server.ctx,
    lease,
    startedStep.messageId,
    step('web-fetch', 'ask-question', 'web-fetch'),
    revisionRun,
    0,
    host(startedStep.messageId)
  )
  await claimCalls(server.ctx, lease)
  await takeOver(server, lease)
  await inTransaction(server.ctx, async tx => {
    const lock = await lockSessionByKey(tx, lease.sessionKey)
    if (lock !== undefined) await recoverClaims(tx, lock, () => true)
  })
  const claimed = () =>
    server.sql`select claimed_epoch as epoch, result from calls where kind = 'server' and state = 'open'`
  expect(await claimed()).toEqual([
    { epoch: null, result: null },
    { epoch: null, result: null }
  ])
  await server.sql`update calls set claimed_epoch = 1 where kind = 'server' and state = 'open'`
  await inTransaction(server.ctx, async tx => {
    const lock = await lockSessionByKey(tx, lease.sessionKey)
    if (lock !== undefined) await recoverClaims(tx, lock, () => false)
  })
  expect(await claimed()).toEqual([])
  const unknownOutcome =
    await server.sql`select from calls where state = 'failed' and result ->> 'text' = ${outcomeUnknown}`
  expect(unknownOutcome).toHaveLength(2)
})

test.each([
  ['the last step of a turn ends it as done', [], 'done', 'idle', { over: 'done' }],
  [
    'a step whose only call waits for an approval ends its turn as parked',
    ['web-fetch'],
    'parked',
    'parked',
    {}
  ]
] as const)('%s, unless a cancel was accepted before', async (_, calls, outcome, status, unended) => {
  const server = await startServerWithoutWorker()
  const commitLast = async (lease: Lease) => {
    const startedStep = await beginLiveStep(server.ctx, lease, guide)
    if (startedStep.kind !== 'step') throw new Error('The message did not start a step.')
    const { messageId } = startedStep
    const approving = host(messageId, 'ask')
    return async () => commitStep(server.ctx, lease, messageId, step(...calls), revisionRun, 0, approving, {})
  }
  const { lease: ended } = await leased(server)
  const commitEnded = await commitLast(ended)
  expect(await commitEnded()).toEqual({ over: outcome, ended: { continues: false } })
  const [head] = await server.sql`
    select s.status, h.owner from heads h join sessions s on s.key = h.session_key where s.key = ${ended.sessionKey}`
  expect(head).toEqual({ status, owner: null })

  const { lease: cancelled } = await leased(server)
  const commitCancelled = await commitLast(cancelled)
  await server.sql`update heads set cancel_requested = turn_id where session_key = ${cancelled.sessionKey}`
  expect(await commitCancelled()).toEqual(unended)
})
