import { SendMessage } from '@waystation/protocol/session/session.ts'
import { expect, test } from 'vitest'
import { createToken } from '#lib/auth/tokens/create-token.ts'
import { revokeToken } from '#lib/auth/tokens/revoke-token.ts'
import { tokenActor } from '#lib/auth/tokens/token-actor.ts'
import type { Timing } from '#lib/kernel/timing.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { followSession } from '#lib/sessions/follow.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const origin = 'https://shop.example'

/** Starts a session. `open` opens a stream with a new token, and `text` resolves with its content when it ends. */
async function startEmbedded(pace: Partial<Timing> = {}) {
  const server = await startTestServer({ timing: pace })
  await server.sql`update workspaces set allowed_origins = ${[origin]}::jsonb`
  const { id: sessionId } = await server.startSession()
  const url = await serveApi()
  const open = async () => {
    const tokenInput = { sessionId, subject: 'ada', scopes: ['read' as const], ttlSeconds: 60 }
    const { token, tokenId } = await createToken(server.ctx, tokenInput)
    const response = await fetch(`${url}/api/sessions/${sessionId}/events`, {
      headers: { authorization: `Bearer ${token}`, origin }
    })
    expect(response.status).toBe(200)
    return { tokenId, text: response.text() }
  }
  return { server, sessionId, open }
}

test('an open stream ends when its token is revoked', async () => {
  const { server, sessionId, open } = await startEmbedded()
  const { tokenId, text } = await open()
  await revokeToken(server.ctx, { sessionId, tokenId })
  await text
})

test('an open stream ends when its token is revoked or expires, or when its page is no longer allowed', async () => {
  const { server, sessionId, open } = await startEmbedded({ accessCheckMs: 50 })
  const [revoked, expired, remaining] = [await open(), await open(), await open()]
  let remainingEnded = false
  void remaining.text.finally(() => {
    remainingEnded = true
  })
  await revokeToken(server.ctx, { sessionId, tokenId: revoked.tokenId })
  await server.sql`update session_tokens set expires_at = clock_timestamp() where id = ${expired.tokenId}`
  await Promise.all([revoked.text, expired.text])
  expect(remainingEnded).toBe(false)
  await server.sql`update workspaces set allowed_origins = '[]'`
  await remaining.text
})

test('a stream that is read only after its session got a new generation has no events of it', async () => {
  const { server, sessionId } = await startEmbedded()
  const input = { sessionId, subject: 'ada', scopes: ['read' as const], ttlSeconds: 60 }
  const actor = await tokenActor((await createToken(server.ctx, input)).token)
  if (actor === null) throw new Error('The token is not valid.')
  const { signal } = new AbortController()
  const events = await followSession({ ...server.ctx, actor }, { sessionId }, signal)
  await deleteSession(server.ctx, { sessionId })
  await createSession(server.ctx, { agentId: 'guide', sessionId })
  await sendMessage(server.ctx, SendMessage.parse({ sessionId, text: 'say something private' }))
  expect(await Array.fromAsync(events)).toEqual([])
})

test('an open stream has no events of the next generation of its session', async () => {
  const { server, sessionId, open } = await startEmbedded()
  const { text } = await open()
  await sendMessage(server.ctx, SendMessage.parse({ sessionId, text: 'say first' }))
  await deleteSession(server.ctx, { sessionId })
  await createSession(server.ctx, { agentId: 'guide', sessionId })
  await sendMessage(server.ctx, SendMessage.parse({ sessionId, text: 'say something private' }))
  expect(await text).not.toContain('private')
})
