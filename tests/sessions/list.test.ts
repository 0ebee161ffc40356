import { expect, test } from 'vitest'
import { createSession } from '#lib/sessions/create-session.ts'
import { listSessions } from '#lib/sessions/list-sessions.ts'
import { replyText } from '#tests/support/fakes/openai-replies.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test('each session is listed once across the pages, the last active first, even if several were active at the same moment', async () => {
  const { ctx, sql } = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
  for (let n = 0; n < 7; n++) await createSession(ctx, { agentId: 'guide', sessionId: `s${n}` })
  await sql`update sessions set active_at = (select max(active_at) from sessions) where id in ('s2', 's3', 's4')`
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const { sessions, nextCursor } = await listSessions(ctx, { limit: 3, cursor })
    pages.push(sessions.map(({ id }) => id))
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
  expect(pages.flat()).toEqual(['s6', 's4', 's3', 's2', 's5', 's1', 's0', 'welcome'])
  expect(pages.map(({ length }) => length)).toEqual([3, 3, 2])
})

test('the title comes from the first message and the preview from the last answer, both as plain text', async () => {
  const { startSession, ctx } = await startTestServer({
    script: [replyText('# Done\n\n- **all**'), replyText('It is _here_. More follows.')]
  })
  const session = await startSession()
  await session.runTurn('use web-fetch {"url":"http://ann:secret@localhost/samples/page?token=1"}')
  const listed = async () =>
    (await listSessions(ctx, { limit: 9 })).sessions.find(({ id }) => id === session.id)
  expect(await listed()).toMatchObject({ title: 'web-fetch samples/page', snippet: 'Done' })
  await session.runTurn('say # Heading')
  expect(await listed()).toMatchObject({
    title: 'web-fetch samples/page',
    snippet: 'It is here.'
  })
})
