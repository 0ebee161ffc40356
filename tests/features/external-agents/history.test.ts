import { expect, test } from 'vitest'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { acme, linkToken, reply } from './acme.ts'

const bodyOf = ({ body }: { body: string }) => JSON.parse(body)

test('000-11: the first message of a session brings the last earlier messages, oldest first, and later ones do not', async () => {
  const { ctx, externalSystem, send, token } = await acme({ history: 2 })
  const ids: unknown[] = []
  for (const text of ['Zero.', 'One.', 'Two.']) ids.push((await reply(text, { token })).body.messageId)
  await send('hello')
  await send('again')
  const [first, second] = [bodyOf(await externalSystem.request(0)), bodyOf(await externalSystem.request(1))]
  expect(first.history).toEqual([
    { role: 'assistant', id: ids[1], text: 'One.', createdAt: expect.any(String) },
    { role: 'assistant', id: ids[2], text: 'Two.', createdAt: expect.any(String) }
  ])
  expect(first.message.text).toBe('hello')
  expect(second).not.toHaveProperty('history')

  // A session that is created again has no earlier messages.
  await deleteSession(ctx, { sessionId: 'order-1' })
  await createSession(ctx, { agentId: 'acme', sessionId: 'order-1' })
  await send('new')
  expect(bodyOf(await externalSystem.request(2)).history).toEqual([])
  await reply('Seen.', { token: await linkToken(ctx) })
  await send('next')
  expect(bodyOf(await externalSystem.request(3))).not.toHaveProperty('history')
})

test('000-11: a history has at most 256 KiB of text, and without the setting there is none', async () => {
  const { externalSystem, send, token } = await acme({ history: 50 })
  for (const text of ['x', 'y', 'z']) await reply(text.repeat(100 * 1024), { token })
  await send('hello')
  const { history } = bodyOf(await externalSystem.request(0))
  expect(history.map(({ text }: { text: string }) => [text[0], text.length])).toEqual([
    ['y', 100 * 1024],
    ['z', 100 * 1024]
  ])
})

test('000-11: without the setting, no message brings a history', async () => {
  const { externalSystem, send, token } = await acme()
  await reply('Welcome.', { token })
  await send('hello')
  expect(bodyOf(await externalSystem.request(0))).not.toHaveProperty('history')
})
