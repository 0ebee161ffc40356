import { ListSessions } from '@waystation/protocol/session/session.ts'
import { expect, test } from 'vitest'
import { removeMember } from '#lib/auth/members/remove-member.ts'
import { markRead } from '#lib/features/unread/mark-read.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { listSessions } from '#lib/sessions/list-sessions.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { by, keyOf, person } from '#tests/support/servers/actors.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

async function start(script: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer(script)
  await server.saveAgent({ chat: { tools: [{ name: 'ask-question' }] } })
  const session = await server.startSession('test')
  const isUnread = async (ctx: Ctx) => {
    const { sessions } = await listSessions(ctx, ListSessions.parse({ agentId: 'test' }))
    return sessions.some(({ unread }) => unread === true)
  }
  const newest = async () => (await session.get()).messages.at(-1)?.id ?? ''
  const read = async (ctx: Ctx) => markRead(ctx, { sessionId: session.id, messageId: await newest() })
  const [ada, bob, robot] = [person('ada'), person('bob'), keyOf('viewer')].map(actor =>
    by(server.ctx, actor)
  )
  return { ...server, session, isUnread, newest, read, ada: ada!, bob: bob!, robot: robot! }
}

test('000-17: a reply is unread for each member and key that has opened the session, until they have read it', async () => {
  const { session, isUnread, read, ada, bob, robot } = await start({
    script: [replyText('One.'), replyText('Two.'), replyText('Three.')]
  })
  await session.runTurn('one')
  expect(await isUnread(ada)).toBe(false)
  await read(ada)
  await read(robot)
  await session.runTurn('two')
  expect(await isUnread(ada)).toBe(true)
  expect(await isUnread(robot)).toBe(true)
  expect(await isUnread(bob)).toBe(false)
  await read(ada)
  expect(await isUnread(ada)).toBe(false)
  expect(await isUnread(robot)).toBe(true)
})

test('a reply is unread only when it is complete, and a member’s own message is not unread', async () => {
  const { session, isUnread, read, ada } = await start({
    script: [replyCalls({ name: 'ask-question', input: { question: 'Tea?' } }), replyText('Fine.')]
  })
  const { messageId } = await session.send('ask')
  await markRead(ada, { sessionId: session.id, messageId: messageId ?? '' })
  const call = await session.waitForCall('ask-question')
  expect(await isUnread(ada)).toBe(false)
  await read(ada)
  await session.answer(call, { output: { answer: 'yes' } })
  await session.waitForEnd()
  expect(await isUnread(ada)).toBe(true)
})

test('reading an earlier message again changes nothing, and an unknown message or session is refused', async () => {
  const { session, isUnread, newest, read, ada, bob } = await start({
    script: [replyText('One.'), replyText('Two.')]
  })
  await session.runTurn('one')
  const earlier = await newest()
  await session.runTurn('two')
  await read(ada)
  await markRead(ada, { sessionId: session.id, messageId: earlier })
  expect(await isUnread(ada)).toBe(false)
  await markRead(bob, { sessionId: session.id, messageId: earlier })
  expect(await isUnread(bob)).toBe(true)
  for (const wrong of [
    { sessionId: session.id, messageId: 'msg_unknown' },
    { sessionId: 'none', messageId: earlier }
  ])
    await expect(markRead(ada, wrong)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('marks end with the session and with the membership', async () => {
  const { session, isUnread, read, sql, ctx, ada } = await start({
    script: [replyText('One.'), replyText('Two.')]
  })
  await sql`insert into users (id, name) values ('ada', 'Ada')`
  await sql`insert into members (workspace_id, user_id, role) values ('default', 'ada', 'operator')`
  await session.runTurn('one')
  await read(ada)
  await read(ctx)
  await removeMember(ctx, { userId: 'ada' })
  await session.runTurn('two')
  expect(await isUnread(ada)).toBe(false)
  expect(await isUnread(ctx)).toBe(true)
  await deleteSession(ctx, { sessionId: session.id })
  await createSession(ctx, { agentId: 'test', sessionId: session.id })
  expect(await isUnread(ctx)).toBe(false)
  expect(await sql`select from session_reads`).toHaveLength(0)
})
