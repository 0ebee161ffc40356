import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import { applyEvent, emptyTranscript } from '@waystation/protocol/session/fold.ts'
import { expect, test } from 'vitest'
import { rotateAgentSecret } from '#lib/features/external-agents/agent-secrets.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { acme, asAgent, reply, tokenOfAda } from './acme.ts'
import { signed } from './signed.ts'

const params = { sessionId: 'order-1' }
const setStatus = (token: string | undefined, body: unknown, headers = {}) =>
  asAgent(externalOperations.status, token, { body, headers })
const codeOf = async (answer: Promise<{ status: number; body: Record<string, unknown> }>) => {
  const { status, body } = await answer
  return [status, body.code]
}
/** Returns the status line that this caller sees in the session and, if it can list sessions, in the list. */
const seen = async (secret?: string) => {
  const { agentStatus } = (await callEndpoint(sessionOperations.get, { params }, secret)).body
  const list = secret === undefined ? (await callEndpoint(sessionOperations.list)).body.sessions : undefined
  return [agentStatus, (list as { agentStatus?: unknown }[] | undefined)?.[0]?.agentStatus]
}
const hasStatus = (event: SessionEvent) => event.type === 'session' && event.agentStatus !== undefined

test('000-19: a status line is shown to everyone in the session and in the list until it expires', async () => {
  const { token, session, advanceTime } = await acme()
  const ada = await tokenOfAda()
  const stored = await setStatus(token, { text: ' Looking up\n the order… ', ttlSeconds: 90 })
  expect(stored).toEqual({ status: 200, body: { ok: true, expiresAt: expect.any(String) } })
  const line = { text: 'Looking up the order…', expiresAt: stored.body.expiresAt }
  expect(await seen()).toEqual([line, line])
  expect(await seen(ada)).toEqual([line, undefined])
  await session.waitForEvent(hasStatus)
  expect(session.events.reduce(applyEvent, emptyTranscript)).toMatchObject({ agentStatus: line })

  await setStatus(token, { text: 'Packing' })
  expect((await seen())[0]).toMatchObject({ text: 'Packing' })
  await advanceTime(59)
  expect((await seen())[0]).toMatchObject({ text: 'Packing' })
  await advanceTime(2)
  expect(await seen()).toEqual([undefined, undefined])
  expect(await seen(ada)).toEqual([undefined, undefined])
})

test('000-19: a complete reply or an empty text removes the status line, and a piece of a reply does not', async () => {
  const { token, session } = await acme()
  const shown = async () => {
    await session.waitForNextEvent(hasStatus)
    return session.events.reduce(applyEvent, emptyTranscript).agentStatus?.text
  }
  await setStatus(token, { text: 'One' })
  expect(await shown()).toBe('One')
  await reply('Done.', { token })
  expect(await shown()).toBeUndefined()
  await setStatus(token, { text: 'Two' })
  await reply('In ', { token }, { 'waystation-message': 'r1' })
  expect(await shown()).toBe('Two')
  expect((await seen())[0]).toMatchObject({ text: 'Two' })
  await reply('pieces.', { token }, { 'waystation-message': 'r1; done' })
  expect(await shown()).toBeUndefined()
  await setStatus(token, { text: 'Three' })
  expect(await shown()).toBe('Three')
  expect((await setStatus(token, { text: '' })).body).toEqual({ ok: true })
  expect(await shown()).toBeUndefined()
  expect(await seen()).toEqual([undefined, undefined])
})

test('000-16: a status needs the credentials of a reply, and an invalid one stores nothing', async () => {
  const { ctx, token } = await acme()
  const key = { authorization: 'Bearer the-admin-key-of-every-test' }
  const forged = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')
  expect(await codeOf(setStatus(undefined, { text: 'x' }))).toEqual([401, 'UNAUTHENTICATED'])
  expect(await codeOf(setStatus(forged, { text: 'x' }))).toEqual([401, 'UNAUTHENTICATED'])
  for (const [body, code] of [
    [{ text: 'x'.repeat(201) }, 'INVALID_INPUT'],
    [{ text: 'x', ttlSeconds: 0 }, 'INVALID_INPUT'],
    [{ text: 'x', ttlSeconds: 3601 }, 'INVALID_INPUT'],
    [{ text: 'x', more: 1 }, 'INVALID_INPUT'],
    [{}, 'INVALID_INPUT']
  ] as const)
    expect(await codeOf(setStatus(token, body)), JSON.stringify(body)).toEqual([422, code])
  expect(await codeOf(asAgent(externalOperations.status, token, { raw: '{' }))).toEqual([
    400,
    'MALFORMED_JSON'
  ])
  expect(await seen()).toEqual([undefined, undefined])
  expect((await setStatus(undefined, { text: 'x'.repeat(200), ttlSeconds: 3600 }, key)).status).toBe(200)

  const { secret } = await rotateAgentSecret(ctx, { agentId: 'acme', overlapSeconds: 0 })
  expect(await codeOf(setStatus(token, { text: 'x' }))).toEqual([401, 'UNAUTHENTICATED'])
  const raw = JSON.stringify({ text: 'Signed' })
  const send = (headers: Record<string, string>, body = raw) =>
    codeOf(asAgent(externalOperations.status, undefined, { raw: body, headers }))
  expect(await send(signed(secret, raw), '{"text": "Altered"}')).toEqual([401, 'UNAUTHENTICATED'])
  // The signature is checked before the body is parsed.
  expect(await send(signed(secret, raw), '{')).toEqual([401, 'UNAUTHENTICATED'])
  expect(await send(signed(secret, raw))).toEqual([200, undefined])
  expect((await seen())[0]).toMatchObject({ text: 'Signed' })

  await deleteSession(ctx, params)
  expect(await codeOf(setStatus(undefined, { text: 'x' }, key))).toEqual([404, 'NOT_FOUND'])
})
