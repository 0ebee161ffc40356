import type { AgentPlugin } from '@waystation/protocol/agent/agent.ts'
import { expect, test } from 'vitest'
import { listPrompts } from '#lib/features/prompts/list-prompts.ts'
import { createWiki } from '#lib/features/wikis/create-wiki.ts'
import { importWiki } from '#lib/features/wikis/import-wiki.ts'
import { BadSettings } from '#lib/kernel/settings/env.ts'
import { expiredResultText } from '#lib/plugins/built-in/duration-filter.ts'
import { getContext } from '#lib/sessions/context/get-context.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import type { ModelRequest } from '#tests/support/fakes/model-request.ts'
import { type Reply, replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { pluginFolder } from '#tests/support/fakes/plugin-folder.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/** Returns a session of an agent with these tools and plugins, and what its model received. */
async function sessionWithTools(script: Reply[], chat: object = {}, settings: Record<string, string> = {}) {
  const server = await startTestServer({ script, settings })
  await server.saveAgent({ chat })
  const promptText = (n: number) => JSON.stringify((server.model.requests[n] as ModelRequest).body.messages)
  return { ...server, session: await server.startSession('test'), promptText }
}

const plugins = (...pluginsNamed: (Partial<AgentPlugin> & { name: string })[]) =>
  pluginsNamed.map(plugin => ({ onFailure: 'continue', ...plugin }))

test('001-7: a message stays in the prompt for as many rounds as it says, and in the conversation forever', async () => {
  const { session, ctx, promptText, sql } = await sessionWithTools([
    replyText('One.'),
    replyText('Two.'),
    replyText('Three.')
  ])
  await session.runTurn('Keep this.')
  await session.runTurn('The code is 4711.', { duration: 1 })
  const before = await getContext(ctx, { sessionId: session.id })
  await session.runTurn('What was it?')
  expect(promptText(1)).toContain('4711')
  expect(promptText(2)).not.toContain('4711')
  expect(promptText(2)).toMatch(/Keep this\..*One\..*Two\..*What was it\?/)
  const { messages } = await session.get()
  expect(messages[2]?.metadata?.duration).toBe(1)
  expect(JSON.stringify(messages)).toContain('4711')
  expect((await getContext(ctx, { sessionId: session.id })).breakdown.user).toBeLessThan(
    before.breakdown.user + 10
  )
  await expectValidSessions(sql)
})

test('001-7: expired content is not counted in the estimate of a prompt (001-17)', async () => {
  const { session, ctx } = await sessionWithTools([replyText('One.'), replyText('Two.')])
  await session.runTurn(`The code is ${'4711 '.repeat(2000)}`, { duration: 1 })
  await session.runTurn('What was it?')
  const { prompts } = await listPrompts(ctx, { sessionId: session.id, limit: 2 })
  const [tokensWithout = 0, tokensWith = 0] = prompts.map(({ estimated }) => estimated)
  expect(tokensWith - tokensWithout).toBeGreaterThan(2000)
  expect((await getContext(ctx, { sessionId: session.id })).estimated).toBeLessThan(tokensWith - 2000)
})

test('001-7: with 0 users see the result of a tool and no model does; a message with 0 is refused', async () => {
  const { session, promptText } = await sessionWithTools(
    [replyCalls({ name: 'wiki-recent', input: {} }), replyText('Done.')],
    {
      tools: [{ name: 'wiki-recent', duration: 0 }]
    }
  )
  await session.runTurn('Look, and tell nobody.')
  expect(promptText(1)).toContain(expiredResultText)
  expect((await session.get()).calls[0]?.state).not.toBe('open')
  expect(() => session.send('For the record only.', { duration: 0 })).toThrow(/>=1/)
})

test('001-7: the result of a tool stays as long as its agent says, and is removed together with its call', async () => {
  const { session, promptText, sql } = await sessionWithTools(
    [replyCalls({ name: 'wiki-recent', input: {} }), replyText('Nothing.'), replyText('Still nothing.')],
    { tools: [{ name: 'wiki-recent', duration: 1 }] }
  )
  await session.runTurn('What is new?')
  await session.runTurn('And now?')
  expect(promptText(1)).toContain('"wiki-recent"')
  expect(promptText(1)).not.toContain(expiredResultText)
  expect(promptText(2)).not.toContain('"wiki-recent"')
  expect(promptText(2)).toMatch(/What is new\?.*Nothing\..*And now\?/)
  expect((await session.get()).calls[0]).toMatchObject({ duration: 1 })
  await expectValidSessions(sql)
})

test('001-7: a summary does not include expired content, and the window does not grow without end', async () => {
  const { session, model, sql } = await sessionWithTools(
    Array.from({ length: 40 }, () => replyText('Noted.')),
    { limits: { contextTokens: 1000 }, compaction: 'model' }
  )
  for (let n = 0; n < 14; n++) await session.runTurn(`Code ${n}: ${'4711 '.repeat(120)}`, { duration: 1 })
  const start = await sql`select context_start as start from sessions where key = ${session.key}`
  expect(start[0]?.start).toBeGreaterThan(0)
  const summaries = model.requests.filter(
    ({ body }) => !JSON.stringify(body.messages).includes('Some tool calls wait')
  )
  expect(summaries.length).toBeGreaterThan(0)
  for (const { body } of summaries) expect(JSON.stringify(body.messages)).not.toContain('4711')
  await expectValidSessions(sql)
})

test('001-11: message-management: errors stay for one round, and results of the tools that it names as long as it says', async () => {
  const externalServer = await startExternalSystem((response, _, n) =>
    n === 0 ? response.writeHead(500).end('broken') : response.end('plenty of text')
  )
  const fetchCalls = replyCalls({ name: 'web-fetch', input: { url: `${externalServer.url}/a` } })
  const { session, promptText, sql } = await sessionWithTools(
    [fetchCalls, fetchCalls, replyText('Read it.'), replyText('Bye.')],
    {
      tools: [{ name: 'web-fetch', approval: 'auto' }],
      plugins: plugins({ name: 'message-management', config: { results: { 'web-fetch': 2 } } })
    },
    { WAYSTATION_EGRESS_ALLOW: externalServer.host }
  )
  await session.runTurn('Read it to me.')
  await session.runTurn('Thanks.')
  expect(promptText(2)).toContain('plenty of text')
  expect(promptText(3)).toContain('plenty of text')
  expect((await session.get()).calls.map(({ duration }) => duration)).toEqual([2, 2])
  await expectValidSessions(sql)
})

test('001-12: wiki-search informs the agent which wikis exist, and its results stay in the prompt for one round', async () => {
  const { session, ctx, promptText, sql } = await sessionWithTools(
    [
      replyCalls({ name: 'wiki-search', input: { title: 'Rose' } }),
      replyText('Roses prick.'),
      replyText('You are welcome.')
    ],
    { tools: [{ name: 'wiki-search' }], plugins: plugins({ name: 'wiki-search' }) }
  )
  await createWiki(ctx, { name: 'garden' })
  await importWiki(ctx, {
    wiki: 'garden',
    file: 'a.json',
    text: JSON.stringify([{ title: 'Rose', text: 'It has thorns.' }])
  })
  await session.runTurn('What of roses?')
  await session.runTurn('Thanks.')
  expect(promptText(0)).toContain('- garden (1 tiddlers)')
  expect(promptText(1)).toContain('It has thorns.')
  expect(promptText(2)).not.toContain('It has thorns.')
  expect(promptText(2)).toMatch(/What of roses\?.*Roses prick\./)
  // The transcript shows where content expires, not the plugin action that set its duration.
  const hooks = (await session.get()).messages.flatMap(({ parts }) =>
    parts.flatMap(part => (part.type === 'data-hook' ? [part.data.point] : []))
  )
  expect(hooks).not.toContain('afterTool')
  await expectValidSessions(sql)
})

test('22 B4: wiki-search informs the agent only of wikis that its tools can read, and ignores other tools of that name', async () => {
  const wikiTool = { name: 'wiki-notes', description: 'Notes.', inputSchema: { type: 'object' } }
  const { session, ctx, promptText } = await sessionWithTools([replyText('Hm.')], {
    tools: [
      { name: 'wiki-search', wikis: ['garden'] },
      { name: 'wiki-toc', wikis: ['none'] }
    ],
    plugins: plugins({ name: 'wiki-search' })
  })
  for (const name of ['garden', 'salaries']) await createWiki(ctx, { name })
  await session.runTurn('What is there?', { clientTools: [wikiTool] })
  expect(promptText(0)).toContain('- garden (0 tiddlers)')
  expect(promptText(0)).not.toMatch(/salaries|with[^.:]*wiki-notes/)
})

test('001-11: the names of built-in plugins are reserved, and a server that reuses one reports it at start', async () => {
  const folder = await pluginFolder({
    'mine.mjs': "export default { name: 'wiki-search', hooks: () => ({}) }"
  })
  await expect(startTestServer({ settings: { WAYSTATION_PLUGINS: folder } })).rejects.toThrow(BadSettings)
})
