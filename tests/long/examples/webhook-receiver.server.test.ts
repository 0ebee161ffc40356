import { expect, test } from 'vitest'
import { exampleHouse } from '#tests/examples/example-house.ts'
import { startExample } from '#tests/examples/start-example.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { freePort } from '#tests/support/worlds/free-port.ts'

/** A busy machine takes its time. */
const patience = { timeout: 30_000 }

const { api, create, say, session } = exampleHouse()

type Told = { id: string; sessionId: string; state: string; attempts: unknown[] }

test('the receiver says where a call can be answered, tells each event once, and believes nobody without its secret', async () => {
  const port = await freePort()
  const { secret } = await api<{ secret: string }>('POST', '/api/webhooks', {
    url: `http://localhost:${port}/`,
    events: ['call.opened', 'call.settled']
  })
  const { url, lines } = await startExample(process.execPath, ['examples/webhook-receiver/receiver.mjs'], {
    PORT: `${port}`,
    SECRET: secret
  })
  await create('guide', 'tea')
  await say('tea', demo.asks('tea', 'coffee'))
  await expect
    .poll(() => lines.at(-1), patience)
    .toMatch(/^ask-question in tea waits until \S+Z: http\S+\/answer\/\S+$/)
  const page = await fetch(lines.at(-1)?.split(' ').at(-1) ?? '')
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('coffee')

  const delivered = async () =>
    (await api<{ deliveries: Told[] }>('GET', '/api/deliveries?state=delivered')).deliveries
  await expect.poll(async () => (await delivered()).length, patience).toBe(1)
  const [opened] = await delivered()
  await api('POST', `/api/sessions/tea/deliveries/${opened?.id}/redeliver`, {})
  await expect.poll(async () => (await delivered())[0]?.attempts.length, patience).toBe(2)
  const forged = await fetch(url, { method: 'POST', body: '{"type":"turn.failed","data":{}}' })
  expect(forged.status).toBe(401)

  const [asked] = (await session('tea')).session.waitingFor
  await api('POST', `/api/sessions/tea/calls/${asked?.toolCallId}/answer`, { output: { answer: 'tea' } })
  await expect.poll(() => lines.at(-1), patience).toMatch(/^ask-question in tea: answered, by /)
  expect(lines.filter(line => line.includes(' waits '))).toHaveLength(1)
})
