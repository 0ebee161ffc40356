import { OobPriority, OobSource, SendOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { expect, test } from 'vitest'
import { approveOutOfBand } from '#lib/features/out-of-band/approve-out-of-band.ts'
import { removeOutOfBand } from '#lib/features/out-of-band/remove-out-of-band.ts'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { setOobPolicy } from '#lib/features/out-of-band/set-oob-policy.ts'
import { operations } from '#lib/http/operations/all.ts'
import { type Reply, replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const operation = operations.find(({ id }) => id === 'metrics')!

/** Returns the samples of a metric by their labels, as this process reports them. */
async function samplesOf(name: string): Promise<Map<string, number>> {
  const response = await requestEndpoint(operation, {
    headers: { authorization: 'Bearer the-admin-key-of-every-test' }
  })
  const lines = (await response.text()).split('\n').filter(line => line.startsWith(`${name}{`))
  return new Map(
    lines.map(line => {
      const end = line.lastIndexOf('}') + 1
      return [line.slice(name.length, end), Number(line.slice(end))]
    })
  )
}

const changes = () => samplesOf('waystation_out_of_band_total')

/** Returns how much each sample grew, without those that did not. Test servers of one process share its metrics. */
async function growth(before: Map<string, number>, read = changes): Promise<Record<string, number>> {
  const differences = [...(await read())].map(([labels, value]) => [
    labels,
    value - (before.get(labels) ?? 0)
  ])
  return Object.fromEntries(differences.filter(([, difference]) => difference !== 0))
}

const labels = (change: string, priority: string, source = 'external') =>
  `{change="${change}",priority="${priority}",source="${source}"}`

/** Returns a session with a model that acknowledges the message with this ID twice. */
async function start(idToAcknowledge: () => string) {
  const acknowledge = () =>
    replyCalls({
      name: 'acknowledge_out_of_band',
      input: { id: idToAcknowledge(), effect: 'I continue.' }
    })
  const replies: (() => Reply)[] = [acknowledge, acknowledge, () => replyText('Done.')]
  const server = await startTestServer({ script: (_, index) => replies[index]?.() ?? replyText('Done.') })
  await server.saveAgent({ chat: {} })
  const session = await server.startSession('test')
  const sendOob = (more: Partial<SendOob> = {}) =>
    sendOutOfBand(
      server.ctx,
      SendOob.parse({ sessionId: session.id, content: 'News.', sourceId: 'ci', ...more })
    )
  return { ...server, session, sendOob }
}

test('004-16: each change of a message is counted once, by priority and source, and a retry counts nothing', async () => {
  let id = ''
  const { session, sendOob } = await start(() => id)
  const before = await changes()
  id = (await sendOob({ priority: 'high', key: 'one' })).id
  await sendOob({ priority: 'high', key: 'one' })
  await session.runTurn('go')
  expect(await growth(before)).toEqual({
    [labels('accepted', 'high')]: 1,
    [labels('delivered', 'high')]: 1,
    [labels('acknowledged', 'high')]: 1
  })
})

test('004-16: held, removed and expired messages are counted, and an approval does not accept a message twice', async () => {
  const { ctx, session, sendOob, advanceTime } = await start(() => '')
  const { id: sessionId } = session
  const before = await changes()
  await setOobPolicy(ctx, { sessionId, mode: 'approve', minPriority: 'low', muted: [] })
  const held = await sendOob({ source: 'agent', sourceId: 'a', priority: 'low' })
  const removed = await sendOob()
  await sendOob({ priority: 'critical', ttlSeconds: 60, source: 'system' }).then(() => session.waitForEnd())
  await sendOob({ priority: 'low', ttlSeconds: 60, source: 'system' })
  await approveOutOfBand(ctx, { sessionId, oobId: held.id })
  await removeOutOfBand(ctx, { sessionId, oobId: removed.id })
  await removeOutOfBand(ctx, { sessionId, oobId: removed.id })
  const expired = session.waitForEvent(event => event.type === 'oob' && event.message.status === 'expired')
  await advanceTime(61)
  await expired
  expect(await growth(before)).toEqual({
    [labels('accepted', 'low', 'agent')]: 1,
    [labels('held', 'low', 'agent')]: 1,
    [labels('accepted', 'normal')]: 1,
    [labels('held', 'normal')]: 1,
    [labels('cancelled', 'normal')]: 1,
    [labels('accepted', 'critical', 'system')]: 1,
    [labels('delivered', 'critical', 'system')]: 1,
    [labels('accepted', 'low', 'system')]: 1,
    [labels('held', 'low', 'system')]: 1,
    [labels('expired', 'low', 'system')]: 1
  })
})

test('004-16: the time to delivery is observed by priority, and every series exists from the start', async () => {
  const { session, sendOob, advanceTime } = await start(() => '')
  const [counts, sums] = ['count', 'sum'].map(
    suffix => () => samplesOf(`waystation_out_of_band_delivery_seconds_${suffix}`)
  ) as [typeof changes, typeof changes]
  const [countsBefore, sumsBefore] = [await counts(), await sums()]
  await sendOob({ priority: 'normal' })
  await advanceTime(120)
  await session.runTurn('go')
  expect(await growth(countsBefore, counts)).toEqual({ '{priority="normal"}': 1 })
  const waited = (await growth(sumsBefore, sums))['{priority="normal"}']
  expect(waited).toBeGreaterThanOrEqual(120)
  expect((await changes()).size).toBe(6 * OobPriority.options.length * OobSource.options.length)
})
