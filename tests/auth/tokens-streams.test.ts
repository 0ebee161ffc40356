import { expect, test } from 'vitest'
import { createToken } from '#lib/auth/create-token.ts'
import { revokeToken } from '#lib/auth/revoke-token.ts'
import { SendMessage } from '#lib/protocol/session.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { serveApi } from '#tests/support/serve-api.ts'
import { testWorld } from '#tests/support/world.ts'

const origin = 'https://shop.example'

/** A session, and how a page opens a stream of it with a token of its own; `told` is what it was told when it ends. */
async function embedded() {
  const world = await testWorld()
  await world.sql`update workspaces set allowed_origins = ${JSON.stringify([origin])}::text::jsonb`
  const { id: sessionId } = await world.session()
  const url = await serveApi()
  const open = async () => {
    const asked = { sessionId, subject: 'ada', scopes: ['read' as const], ttlSeconds: 60 }
    const { token, tokenId } = await createToken(world.ctx, asked)
    const response = await fetch(`${url}/api/sessions/${sessionId}/events`, {
      headers: { authorization: `Bearer ${token}`, origin }
    })
    expect(response.status).toBe(200)
    return { tokenId, told: response.text() }
  }
  return { world, sessionId, open }
}

/** How long it takes to end, in ms. */
async function lasts(told: Promise<string>) {
  const begun = performance.now()
  await told
  return performance.now() - begun
}

test('an open stream ends within 5 s of its token being revoked or running out, and of its page being no longer allowed (design 2.14)', async () => {
  const { world, sessionId, open } = await embedded()
  const [revoked, expired, kept] = [await open(), await open(), await open()]
  let keptEnded = false
  void kept.told.finally(() => {
    keptEnded = true
  })
  await revokeToken(world.ctx, { sessionId, tokenId: revoked.tokenId })
  await world.sql`update session_tokens set expires_at = clock_timestamp() where id = ${expired.tokenId}`
  for (const time of await Promise.all([lasts(revoked.told), lasts(expired.told)]))
    expect(time).toBeLessThan(6_000)
  expect(keptEnded).toBe(false)
  await world.sql`update workspaces set allowed_origins = '[]'`
  expect(await lasts(kept.told)).toBeLessThan(6_000)
})

test('an open stream tells nothing of the next life of its session', async () => {
  const { world, sessionId, open } = await embedded()
  const { told } = await open()
  await sendMessage(world.ctx, SendMessage.parse({ sessionId, text: 'say first' }))
  await deleteSession(world.ctx, { sessionId })
  await createSession(world.ctx, { agentId: 'guide', sessionId })
  await sendMessage(world.ctx, SendMessage.parse({ sessionId, text: 'say something private' }))
  expect(await lasts(told)).toBeLessThan(6_000)
  expect(await told).not.toContain('private')
})
