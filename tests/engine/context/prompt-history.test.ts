import { join } from 'node:path'
import { AgentConfig, type AgentPlugin } from '@waystation/protocol/agent/agent.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import type { PromptPreview } from '@waystation/protocol/session/prompt.ts'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createAgent } from '#lib/agents/create.ts'
import { notRedactedText } from '#lib/features/prompts/stored-message.ts'
import { outOfBandOperations } from '#lib/http/operations/out-of-band.ts'
import { promptOperations } from '#lib/http/operations/prompts.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { subjectOperations } from '#lib/http/operations/subjects.ts'
import { tokenOperations } from '#lib/http/operations/tokens.ts'
import { readSummaryPrompt } from '#lib/kernel/ports/summary-request.ts'
import { listStoredPrompts, replayPrompts, sentOf } from '#tests/support/browser/stored-prompts.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import type { ModelRequest } from '#tests/support/fakes/model-request.ts'
import { replyCalls, replyError, replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { pluginFolder } from '#tests/support/fakes/plugin-folder.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { tablesWith } from '#tests/support/servers/full-session.ts'
import { startTestServer, type TestSession } from '#tests/support/servers/test-server.ts'

const plugin = (name: string, hooks: string) =>
  `export default { name: '${name}', hooks: () => ({ ${hooks} }) }`

const named = (...names: string[]): AgentPlugin[] => names.map(name => ({ name, onFailure: 'continue' }))

const lastOf = ({ body }: ModelRequest) => JSON.stringify(body.messages.at(-1)?.content)
const asksForSummary = (content: unknown) =>
  readSummaryPrompt(typeof content === 'string' ? content : JSON.stringify(content)) !== undefined
const isSummary = ({ body }: ModelRequest) => asksForSummary(body.messages.at(-1)?.content)

/** Expects that each stored prompt, sent again, equals the request that the provider received. */
async function expectStoredPrompts(session: TestSession, requests: readonly ModelRequest[]) {
  const prompts = await listStoredPrompts(session.id)
  // If a plugin removes every message, the step fails before its request.
  const sent = prompts.full.filter(({ messages }) => messages.length > 0)
  expect(await replayPrompts(sent)).toEqual(requests.map(sentOf))
  return prompts
}

test('001-10: the prompt of each committed round is stored as the model received it, with only the new part of each round', async () => {
  const externalServer = await startExternalSystem()
  const server = await startTestServer({
    script: [
      replyCalls({ name: 'web-fetch', input: { url: `${externalServer.url}/a` } }),
      replyCalls({ name: 'web-fetch', input: { url: `${externalServer.url}/b` } }),
      replyText('Read both.'),
      replyText('As I said.')
    ],
    settings: { WAYSTATION_EGRESS_ALLOW: externalServer.host }
  })
  await server.saveAgent({ chat: { instructions: 'Be brief.', tools: [{ name: 'web-fetch' }] } })
  const session = await server.startSession('test')
  await session.runTurn('Read them.')
  await session.runTurn('And?')
  const { listed, full } = await expectStoredPrompts(session, server.model.requests)

  expect(listed.map(({ round }) => round)).toEqual([1, 2, 3, 1])
  expect(full.map(({ messages, same }) => [messages.length, same])).toEqual([
    [1, 0],
    [3, 1],
    [5, 3],
    [7, 5]
  ])
  expect(full.map(({ previous }) => previous)).toEqual([
    undefined,
    ...listed.slice(0, -1).map(({ promptId }) => promptId)
  ])
  expect(full.map(({ next }) => next)).toEqual([
    ...listed.slice(1).map(({ promptId }) => promptId),
    undefined
  ])
  const [first] = full
  expect(first?.instructions).toMatch(/^Be brief\.\n\n/)
  expect(first?.tools.map(({ name }) => name)).toEqual(['web-fetch'])
  expect(first).toMatchObject({ tokens: 20, messageId: (await session.get()).messages[1]?.id })
  expect(first?.estimated).toBeGreaterThan(100)

  const stored = await server.sql<{ base: number | null; rest: unknown[] }[]>`
    select base, rest from prompts where session_key = ${session.key} order by id`
  expect(stored.map(({ base, rest }) => [base === null, rest.length])).toEqual([
    [true, 1],
    [false, 2],
    [false, 2],
    [false, 2]
  ])
  expect(await server.sql`select from prompt_parts where session_key = ${session.key}`).toHaveLength(2)
  await expectValidSessions(server.sql)
})

test('001-10: a prompt shows its states: instructions, history, the changes of each plugin, and the request', async () => {
  const server = await startTestServer({
    script: () => replyText('Well.'),
    settings: {
      WAYSTATION_PLUGINS: await pluginFolder({
        'quiet.mjs': plugin('quiet', 'beforeModel: () => undefined'),
        'elsewhere.mjs': plugin('elsewhere', 'afterModel: () => undefined'),
        'short.mjs': plugin(
          'short',
          'beforeModel: prompt => ({ change: { ...prompt, messages: prompt.messages.slice(-1) } })'
        ),
        'broken.mjs': plugin('broken', 'beforeModel: () => { throw new Error("no") }'),
        'strict.mjs': plugin(
          'strict',
          'beforeModel: prompt => ({ change: { ...prompt, instructions: prompt.instructions + " No.", tools: prompt.tools.filter(tool => tool.name === "web-fetch") } })'
        )
      })
    }
  })
  await server.saveAgent({
    chat: {
      tools: [{ name: 'web-fetch' }, { name: 'ask-question' }],
      plugins: named('quiet', 'elsewhere', 'short', 'broken', 'strict')
    }
  })
  const session = await server.startSession('test')
  await session.runTurn('One.')
  await session.runTurn('Two.')
  const { listed, full } = await expectStoredPrompts(session, server.model.requests)
  const states = listed[1]?.states ?? []
  expect(states.map(({ ms: _, tokens: __, ...state }) => state)).toEqual([
    { stage: 'instructions', messages: 0 },
    { stage: 'history', messages: 3 },
    { stage: 'plugin', plugin: 'quiet', outcome: 'same', messages: 3 },
    { stage: 'plugin', plugin: 'short', outcome: 'changed', messages: 1 },
    { stage: 'plugin', plugin: 'broken', outcome: 'failed', messages: 1 },
    {
      stage: 'plugin',
      plugin: 'strict',
      outcome: 'changed',
      messages: 1,
      instructions: true,
      leftOut: ['ask-question']
    },
    { stage: 'final', messages: 1, leftOut: ['ask-question'] }
  ])
  const tokens = states.map(({ tokens }) => tokens)
  expect(tokens[1]).toBeGreaterThan(tokens[0] ?? 0)
  expect(tokens[2]).toBe(tokens[1])
  expect(tokens[3]).toBeLessThan(tokens[2] ?? 0)
  expect(tokens[5]).toBeGreaterThan(tokens[4] ?? 0)
  expect(tokens.at(-1)).toBe(tokens[5])
  expect(full[1]).toMatchObject({ same: 0, tools: [{ name: 'web-fetch' }] })
  expect(full[1]?.instructions).toMatch(/ No\.$/)
})

test('001-10: if a plugin drops the oldest messages, the rest is not stored again', async () => {
  const server = await startTestServer({
    script: () => replyText('Well.'),
    settings: {
      WAYSTATION_PLUGINS: await pluginFolder({
        'latest.mjs': plugin(
          'latest',
          'beforeModel: prompt => ({ change: { ...prompt, messages: prompt.messages.slice(-5) } })'
        )
      })
    }
  })
  await server.saveAgent({ chat: { plugins: named('latest') } })
  const session = await server.startSession('test')
  for (let n = 0; n < 6; n++) await session.runTurn(`Number ${n}.`)
  const { full } = await expectStoredPrompts(session, server.model.requests)
  expect(full.map(({ messages, same }) => [messages.length, same])).toEqual([
    ...[
      [1, 0],
      [3, 1],
      [5, 3]
    ],
    ...[
      [5, 3],
      [5, 3],
      [5, 3]
    ]
  ])
  const stored = await server.sql<{ rest: unknown[] }[]>`
    select rest from prompts where session_key = ${session.key} order by id`
  expect(stored.map(({ rest }) => rest.length)).toEqual([1, 2, 2, 2, 2, 2])
  await expectValidSessions(server.sql)
})

test('001-10: a failed step keeps its prompt with the error, and a step that a plugin cancels has none', async () => {
  const server = await startTestServer({
    script: [replyError(400), replyText('Fine.')],
    settings: {
      WAYSTATION_PLUGINS: await pluginFolder({
        'guard.mjs': plugin(
          'guard',
          `beforeModel: ({ messages }) => JSON.stringify(messages.at(-1)).includes('forbidden') ? { cancel: 'no' } : undefined`
        )
      })
    }
  })
  await server.saveAgent({ chat: { plugins: named('guard') } })
  const session = await server.startSession('test')
  await session.runTurn('This is forbidden.')
  expect((await listStoredPrompts(session.id)).listed).toEqual([])
  await session.runTurn('This fails.')
  await session.runTurn('This is fine.')
  const { listed } = await expectStoredPrompts(session, server.model.requests)
  expect(listed).toMatchObject([{ round: 1, tokens: 0, error: { code: 'BAD_REQUEST' } }, { round: 1 }])
  expect(listed[1]).not.toHaveProperty('error')
  const newest = (await session.get()).messages.findLast(({ role }) => role === 'user')
  await callEndpoint(sessionOperations.removeTurn, {
    params: { sessionId: session.id, messageId: newest?.id ?? '' }
  })
  expect((await listStoredPrompts(session.id)).listed).toMatchObject([{ error: { code: 'BAD_REQUEST' } }])
})

test('001-10: the preview is the prompt that the model then receives, with the changes of plugins', async () => {
  const server = await startTestServer({
    script: () => replyText('Well.'),
    settings: {
      WAYSTATION_PLUGINS: await pluginFolder({
        'short.mjs': plugin(
          'short',
          'beforeModel: prompt => ({ change: { ...prompt, messages: prompt.messages.slice(-2) } })'
        )
      })
    }
  })
  await server.saveAgent({ chat: { tools: [{ name: 'web-fetch' }], plugins: named('short') } })
  const session = await server.startSession('test')
  await session.runTurn('One.')
  const before = server.model.requests.length
  const { status, body } = await callEndpoint(promptOperations.preview, {
    params: { sessionId: session.id },
    body: { text: 'Two.' }
  })
  expect(status).toBe(200)
  expect(server.model.requests).toHaveLength(before)
  await session.runTurn('Two.')
  const sent = (await listStoredPrompts(session.id)).full.at(-1)
  const { model, estimated, states, ...prompt } = body as PromptPreview
  expect(sent).toMatchObject(prompt)
  expect(states.map(({ stage, plugin, messages }) => [plugin ?? stage, messages])).toEqual([
    ['instructions', 0],
    ['history', 3],
    ['short', 2],
    ['final', 2]
  ])
  expect(model).toMatch(/\//)
  expect(estimated).toBeGreaterThan(sent?.states.at(-1)?.tokens ?? Number.NaN)
})

test('001-10: there is no preview if a plugin stops it, of an external agent, of an unknown model, or for an end user', async () => {
  const server = await startTestServer({
    settings: {
      WAYSTATION_PLUGINS: await pluginFolder({
        'guard.mjs': plugin('guard', `beforeModel: () => ({ cancel: 'no' })`)
      })
    }
  })
  await server.saveAgent({ chat: { plugins: named('guard') } })
  const session = await server.startSession('test')
  const preview = (sessionId: string, token?: string) =>
    callEndpoint(promptOperations.preview, { params: { sessionId }, body: { text: 'x' } }, token)
  expect(await preview(session.id)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  expect((await preview('missing')).status).toBe(404)
  const external = {
    agentId: 'far',
    displayName: 'Far',
    type: 'external',
    external: { inputUrl: 'https://a.example' }
  }
  await createAgent(server.ctx, AgentConfig.parse(external))
  await callEndpoint(sessionOperations.create, { body: { agentId: 'far', sessionId: 'order-7' } })
  await server.saveAgent({ agentId: 'odd', chat: { model: 'nowhere/nothing' } })
  for (const sessionId of ['order-7', (await server.startSession('odd')).id])
    expect(await preview(sessionId)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  const { body } = await callEndpoint(tokenOperations.create, {
    params: { sessionId: session.id },
    body: { subject: 'ada', scopes: ['read', 'send', 'answer'] }
  })
  expect((await preview(session.id, String(body.token))).status).toBe(403)
})

test('001-10: while a plugin works on the prompt, followers see which one, and the message does not store it', async () => {
  const server = await startTestServer({
    script: () => replyText('Well.'),
    settings: {
      WAYSTATION_PLUGINS: await pluginFolder({ 'slow.mjs': plugin('slow', 'beforeModel: () => undefined') })
    }
  })
  await server.saveAgent({ chat: { plugins: named('slow') } })
  const session = await server.startSession('test')
  await session.send('One.')
  const seen = await session.waitForEvent(
    event => event.type === 'chunk' && event.chunk.type === 'data-preparing'
  )
  expect(seen).toMatchObject({ chunk: { transient: true, data: { plugin: 'slow' } } })
  await session.waitForEvent(
    event =>
      event.type === 'chunk' && event.chunk.type === 'data-preparing' && event.chunk.data.plugin === undefined
  )
  await session.waitForText('Well.')
  expect(JSON.stringify((await session.get()).messages)).not.toContain('data-preparing')
})

/** A message of a thousand tokens that starts with its number. */
const longMessage = (n: number) => `Message ${n}. `.padEnd(4000, 'x')

test('001-10: after the window moves the prompt is stored in full, with the summary', async () => {
  const server = await startTestServer({
    script: request => replyText(isSummary(request) ? 'They sent long messages.' : 'Read.')
  })
  await server.saveAgent({ chat: { limits: { stepsPerTurn: 25, usdPerTurn: 1, contextTokens: 10_000 } } })
  const session = await server.startSession('test')
  const summaryParts = async () =>
    (await session.get()).messages.flatMap(({ parts }) =>
      parts.filter(part => part.type === 'data-compaction')
    )
  for (let n = 0; (await summaryParts()).length === 0; n++) await session.runTurn(longMessage(n))
  await session.runTurn('Go on.')
  const { listed, full } = await expectStoredPrompts(
    session,
    server.model.requests.filter(request => !isSummary(request))
  )
  const hopIndex = listed.findIndex(({ states }) => states[1]?.summary === true)
  expect(hopIndex).toBeGreaterThan(2)
  expect(full[hopIndex]?.same).toBe(0)
  expect(new Set(full.slice(1, hopIndex).map(({ messages, same }) => messages.length - same))).toEqual(
    new Set([2])
  )
  expect(JSON.stringify(full[hopIndex]?.messages[0])).toContain('earlier_conversation')
  expect(full[hopIndex + 1]?.same).toBe(full[hopIndex]?.messages.length)
  await expectValidSessions(server.sql)
})

test('001-10: another worker continues from the stored prompts, even after a worker lost its turn in the middle of a round', async () => {
  const server = await startTestServer({
    settings: { WAYSTATION_ROLE: 'web' },
    script: () => replyText('Yes.')
  })
  await server.saveAgent({ chat: { instructions: 'Be brief.' } })
  const first = await server.startSecondServer({ WAYSTATION_ROLE: 'worker' })
  const session = await server.startSession('test')
  await session.runTurn('One.')
  await session.runTurn('Two.')
  server.model.setScript(() => replyThenHold('Half'))
  const ended = session.waitForEnd()
  await session.send('Three.')
  await session.waitForText('Half')
  server.model.setScript(() => replyText('Whole.'))
  await server.startSecondServer({ WAYSTATION_ROLE: 'worker' })
  await first.server.stop()
  await ended
  await session.runTurn('Four.')
  const { full } = await listStoredPrompts(session.id)
  const received = [0, 1, 3, 4].map(n => sentOf(server.model.requests[n] as ModelRequest))
  expect(await replayPrompts(full)).toEqual(received)
  // The second worker has read back the prompt that the first one stored.
  const stored = await server.sql<{ base: number | null; rest: unknown[] }[]>`
    select base, rest from prompts where session_key = ${session.key} order by id`
  expect(stored.map(({ base }) => base === null)).toEqual([true, false, false, false])
  expect(stored.map(({ rest }) => rest.length)).toEqual([1, 2, 2, 2])
  await expectValidSessions(server.sql)
})

test('001-10: no stored prompt contains text from a deleted turn', async () => {
  const server = await startTestServer({ script: (_, n) => replyText(`Answer ${n}.`) })
  await server.saveAgent({ chat: { instructions: 'Be brief.' } })
  const session = await server.startSession('test')
  for (const messageText of ['The first.', 'A xylophone.', 'The last.']) await session.runTurn(messageText)
  expect(await tablesWith(server.sql, 'xylophone')).toContain('public.prompts')
  const sentMessage = (await session.get()).messages.find(message => textOf(message) === 'A xylophone.')
  await callEndpoint(sessionOperations.removeTurn, {
    params: { sessionId: session.id, messageId: String(sentMessage?.id) }
  })
  expect(await tablesWith(server.sql, 'xylophone')).not.toContain('public.prompts')
  expect((await listStoredPrompts(session.id)).listed).toHaveLength(1)
  await session.runTurn('Go on.')
  await expectStoredPrompts(session, [server.model.requests[0], server.model.requests[3]] as ModelRequest[])
  await expectValidSessions(server.sql)
  await callEndpoint(sessionOperations.delete, { body: { sessionId: session.id } })
  for (const table of ['prompts', 'prompt_parts'])
    expect(await server.sql`select from ${server.sql(table)}`).toEqual([])
})

test('001-10: instructions of a plugin are deleted with their turn', async () => {
  const server = await startTestServer({
    script: () => replyText('Yes.'),
    settings: {
      WAYSTATION_PLUGINS: await pluginFolder({
        'echo.mjs': plugin(
          'echo',
          'beforeModel: prompt => ({ change: { ...prompt, instructions: "Said: " + JSON.stringify(prompt.messages.at(-1)) } })'
        )
      })
    }
  })
  await server.saveAgent({ chat: { plugins: named('echo') } })
  const session = await server.startSession('test')
  await session.runTurn('The first.')
  await session.runTurn('A xylophone.')
  expect(await tablesWith(server.sql, 'xylophone')).toContain('public.prompt_parts')
  const sentMessage = (await session.get()).messages.find(message => textOf(message) === 'A xylophone.')
  const target = { sessionId: session.id, messageId: String(sentMessage?.id) }
  expect(await callEndpoint(sessionOperations.removeTurn, { params: target })).toMatchObject({ status: 200 })
  const tablesLeft = await tablesWith(server.sql, 'xylophone')
  expect(tablesLeft.filter(table => table.startsWith('public.prompt'))).toEqual([])
  await expectStoredPrompts(session, server.model.requests.slice(0, 1))
})

test('001-10: files are stored as kind and size, and text from a plugin passes the redaction', async () => {
  const folder = await pluginFolder({
    'redact.mjs': `export default text => text.replaceAll('s3cret', '[secret]')`,
    'leaky.mjs': plugin(
      'leaky',
      `beforeModel: prompt => ({ change: { ...prompt, instructions: 'A s3cret.', messages: [
        { role: 'user', content: 's3cret' },
        { role: 'assistant', content: [{ type: 'text', text: 'Another s3cret.' }] }, ...prompt.messages] } })`
    )
  })
  const server = await startTestServer({
    script: () => replyText('I see.'),
    settings: {
      WAYSTATION_PLUGINS: await pluginFolder({
        'leaky.mjs': plugin(
          'leaky',
          `beforeModel: prompt => ({ change: { ...prompt, instructions: 'A s3cret.', messages: [
            { role: 'user', content: 's3cret' },
            { role: 'assistant', content: [{ type: 'text', text: 'Another s3cret.' }] }, ...prompt.messages] } })`
        )
      }),
      WAYSTATION_REDACT: join(folder, 'redact.mjs')
    }
  })
  await server.saveAgent({ chat: { plugins: named('leaky') } })
  const session = await server.startSession('test')
  const bytes = Buffer.alloc(3000, 'a picture')
  const url = `data:image/png;base64,${bytes.toString('base64')}`
  await session.runTurn('', {
    parts: [
      { type: 'text', text: `What is this? ![it](${url})` },
      { type: 'file', mediaType: 'image/png', filename: 'it.png', url }
    ],
    text: undefined
  })
  expect(JSON.stringify(server.model.requests[0]?.body)).toContain('Another s3cret.')
  const { full } = await listStoredPrompts(session.id)
  expect(full[0]).toMatchObject({
    instructions: 'A [secret].',
    messages: [
      { role: 'user', content: '[secret]' },
      { role: 'assistant', content: [{ type: 'text', text: 'Another [secret].' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this? ![it]([image/png, 3000 bytes, not stored])' },
          {
            type: 'file',
            mediaType: 'image/png',
            filename: 'it.png',
            data: { leftOut: 'file', mediaType: 'image/png', bytes: 3000 }
          }
        ]
      }
    ]
  })
  expect(await tablesWith(server.sql, 's3cret')).toEqual([])
  expect(await tablesWith(server.sql, bytes.toString('base64').slice(0, 60))).not.toContain('public.prompts')
})

test('001-10: a prompt that cannot be redacted is not stored, and the turn continues', async () => {
  allowErrors(/the redaction failed/)
  const folder = await pluginFolder({
    'redact.mjs': `export default text => {
      if (text.includes('break')) throw new Error('no')
      return text
    }`
  })
  const server = await startTestServer({
    script: () => replyText('Well.'),
    settings: {
      WAYSTATION_PLUGINS: await pluginFolder({
        'odd.mjs': plugin(
          'odd',
          `beforeModel: prompt => ({ change: { ...prompt, messages: [{ role: 'user', content: [{ type: 'text', text: 'I break.' }] }, ...prompt.messages] } })`
        )
      }),
      WAYSTATION_REDACT: join(folder, 'redact.mjs')
    }
  })
  await server.saveAgent({ chat: { plugins: named('odd') } })
  const session = await server.startSession('test')
  expect(await session.runTurn('One.')).toMatchObject({ outcome: 'done' })
  const { full } = await listStoredPrompts(session.id)
  expect(full[0]?.messages).toEqual([
    { role: 'user', content: notRedactedText },
    { role: 'user', content: [{ type: 'text', text: 'One.' }] }
  ])
  expect(JSON.stringify(server.model.requests[0]?.body)).toContain('I break.')
})

test('001-10: no stored prompt of another session names a deleted end user', async () => {
  const server = await startTestServer({ script: () => replyText('Well.') })
  await server.saveAgent({})
  const session = await server.startSession('test')
  const params = { sessionId: session.id }
  await session.runTurn('One.')
  const { body } = await callEndpoint(tokenOperations.create, {
    params,
    body: { subject: 'ada-7', scopes: ['read', 'send', 'answer'] }
  })
  const ended = session.waitForEnd()
  await callEndpoint(
    outOfBandOperations.send,
    { params, body: { content: 'Mind the step.', priority: 'critical' } },
    String(body.token)
  )
  await ended
  expect(await tablesWith(server.sql, 'from=\\"ada-7')).toContain('public.prompts')
  await callEndpoint(subjectOperations.delete, { params: { subject: 'ada-7' } })
  expect(await tablesWith(server.sql, 'ada-7')).toEqual([])
  expect((await listStoredPrompts(session.id)).listed).toEqual([])
  await session.runTurn('Two.')
  const { full } = await listStoredPrompts(session.id)
  expect(JSON.stringify(full)).toContain('Mind the step.')
  expect(await tablesWith(server.sql, 'ada-7')).toEqual([])
  await expectValidSessions(server.sql)
})

test('001-10: prompts are for members of the workspace: not found from another workspace, and refused to an end user', async () => {
  const server = await startTestServer({ script: () => replyText('Yes.') })
  await server.saveAgent({})
  const session = await server.startSession('test')
  await session.runTurn('One.')
  const [prompt] = (await listStoredPrompts(session.id)).listed
  const params = { sessionId: session.id, promptId: String(prompt?.promptId) }
  const { body } = await callEndpoint(tokenOperations.create, {
    params,
    body: { subject: 'ada', scopes: ['read', 'send', 'answer'] }
  })
  for (const operation of [promptOperations.list, promptOperations.get])
    expect(await callEndpoint(operation, { params }, String(body.token))).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' }
    })
  const other = await server.startSession('test')
  for (const otherWorkspace of [
    { ...params, sessionId: other.id },
    { ...params, sessionId: 'nobody' },
    { ...params, promptId: '999999' }
  ])
    expect((await callEndpoint(promptOperations.get, { params: otherWorkspace })).status).toBe(404)
  expect((await callEndpoint(promptOperations.get, { params: { ...params, promptId: 'x' } })).status).toBe(
    422
  )
})

test('001-10: the list can be limited to one message', async () => {
  const server = await startTestServer({ script: () => replyText('Yes.') })
  await server.saveAgent({})
  const session = await server.startSession('test')
  await session.runTurn('One.')
  await session.runTurn('Two.')
  const messageId = String((await session.get()).messages[1]?.id)
  const { body } = await callEndpoint(promptOperations.list, {
    params: { sessionId: session.id },
    query: { messageId }
  })
  expect(body.prompts).toEqual([(await listStoredPrompts(session.id)).listed[0]])
})

test('001-10: for any conversation and any change by a plugin, the stored prompt equals what the model received', async () => {
  const outcomes: string[] = []
  vi.stubGlobal('promptsFate', outcomes)
  vi.stubGlobal('asksForSummary', asksForSummary)
  onTestFinished(() => void vi.unstubAllGlobals())
  const server = await startTestServer({
    script: request =>
      isSummary(request)
        ? replyText('Long ago.')
        : lastOf(request).includes('Ask me')
          ? replyCalls({ name: 'ask-question', input: { question: 'Tea?' } })
          : replyText('Well, well.'),
    settings: {
      WAYSTATION_PLUGINS: await pluginFolder({
        'fate.mjs': plugin(
          'fate',
          `beforeModel: prompt => {
            // Requests for summaries are not in the stored prompts.
            if (globalThis.asksForSummary(prompt.messages.at(-1).content)) return
            switch (globalThis.promptsFate.shift()) {
              case 'drop': return { change: { ...prompt, messages: prompt.messages.slice(-1) } }
              case 'late': return { change: { ...prompt, messages: prompt.messages.slice(2) } }
              case 'front': return { change: { ...prompt, messages: [{ role: 'user', content: 'Mind the time.' }, ...prompt.messages] } }
              case 'end': return { change: { ...prompt, messages: [...prompt.messages, { role: 'user', content: 'By the way.' }] } }
              case 'words': return { change: { ...prompt, instructions: 'Other ones.', tools: [] } }
            }
          }`
        )
      })
    }
  })
  await server.saveAgent({
    chat: {
      tools: [{ name: 'ask-question' }],
      plugins: named('fate'),
      limits: { stepsPerTurn: 25, usdPerTurn: 1, contextTokens: 4000 }
    }
  })
  const steps = fc.array(
    fc.record({
      act: fc.constantFrom('say', 'say', 'say', 'ask', 'answer', 'cut'),
      fate: fc.constantFrom('', '', '', 'drop', 'late', 'late', 'front', 'end', 'words')
    }),
    { minLength: 4, maxLength: 10 }
  )
  await fc.assert(
    fc.asyncProperty(steps, async steps => {
      const session = await server.startSession('test')
      let requestCount = server.model.requests.length
      const openCalls: Awaited<ReturnType<TestSession['waitForCall']>>[] = []
      for (const [n, step] of steps.entries()) {
        outcomes.splice(0, outcomes.length, step.fate)
        if (step.act === 'cut') {
          const first = (await session.get()).messages.find(({ role }) => role === 'user')
          if (first === undefined) continue
          await callEndpoint(sessionOperations.removeTurn, {
            params: { sessionId: session.id, messageId: first.id },
            query: { calls: 'true' }
          })
          requestCount = server.model.requests.length
          openCalls.length = 0
          openCalls.push(...(await session.get()).calls.filter(({ state }) => state === 'open'))
        } else if (step.act === 'answer') {
          const call = openCalls.shift()
          if (call === undefined) continue
          await session.answer(call, { output: { answer: 'tea' } })
          await session.waitForEnd()
        } else {
          await session.runTurn(step.act === 'ask' ? `Ask me. ${n}` : longMessage(n).slice(0, 1500))
          const openIds = new Set(openCalls.map(({ toolCallId }) => toolCallId))
          openCalls.push(
            ...(await session.get()).calls.filter(
              ({ state, toolCallId }) => state === 'open' && !openIds.has(toolCallId)
            )
          )
        }
      }
      await expectStoredPrompts(
        session,
        server.model.requests.slice(requestCount).filter(request => !isSummary(request))
      )
    }),
    { numRuns: 8 }
  )
  await expectValidSessions(server.sql)
}, 120_000)
