import { expect, test } from 'vitest'
import { startExampleServer } from '#tests/examples/example-runtime.ts'
import { startExample } from '#tests/examples/start-example.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { freePort } from '#tests/support/servers/free-port.ts'

/** Timeout for a busy machine. */
const waitOptions = { timeout: 30_000 }

const { api, create, sendMessage, session } = startExampleServer()

type Delivery = { id: string; sessionId: string; state: string; attempts: unknown[] }

test('the receiver prints where to answer a call, prints each event once, and rejects requests without its secret', async () => {
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
  await sendMessage('tea', demo.askToChoose('tea', 'coffee'))
  await expect
    .poll(() => lines.at(-1), waitOptions)
    .toMatch(/^ask-question in tea waits until \S+Z: http\S+\/answer\/\S+$/)
  const page = await fetch(lines.at(-1)?.split(' ').at(-1) ?? '')
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('coffee')

  const delivered = async () =>
    (await api<{ deliveries: Delivery[] }>('GET', '/api/deliveries?state=delivered')).deliveries
  await expect.poll(async () => (await delivered()).length, waitOptions).toBe(1)
  const [opened] = await delivered()
  await api('POST', `/api/sessions/tea/deliveries/${opened?.id}/redeliver`, {})
  await expect.poll(async () => (await delivered())[0]?.attempts.length, waitOptions).toBe(2)
  const forged = await fetch(url, { method: 'POST', body: '{"type":"turn.failed","data":{}}' })
  expect(forged.status).toBe(401)

  const [call] = (await session('tea')).session.waitingFor
  await api('POST', `/api/sessions/tea/calls/${call?.toolCallId}/answer`, { output: { answer: 'tea' } })
  await expect.poll(() => lines.at(-1), waitOptions).toMatch(/^ask-question in tea: answered, by /)
  expect(lines.filter(line => line.includes(' waits '))).toHaveLength(1)
})
