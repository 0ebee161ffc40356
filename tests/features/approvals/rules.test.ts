import type { ToolRules } from '@waystation/protocol/call/tool-rules.ts'
import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { updateWorkspace } from '#lib/auth/workspaces/update-workspace.ts'
import { testToolRules } from '#lib/features/approvals/test-rules.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { workspaceOperations } from '#lib/http/operations/workspace.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import type { ModelScript } from '#tests/support/fakes/openai-server.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const policy = expect.any(String)
const promptText = (request: { body: { messages: unknown } } | undefined) =>
  JSON.stringify(request?.body.messages)

type FetchOptions = { rules?: ToolRules; approval?: 'auto' | 'ask'; paths?: string[] }

/** Returns an agent that fetches these paths in one step, in a workspace with these rules. */
async function agentWithFetches({ rules = [], approval = 'auto', paths = ['/secret'] }: FetchOptions) {
  const externalSystem = await startExternalSystem()
  const fetchCalls = paths.map(path => ({
    name: 'web-fetch',
    input: { url: `${externalSystem.url}${path}` }
  }))
  const server = await startTestServer({
    script: [replyCalls(...fetchCalls), replyText('Done.')],
    settings: { WAYSTATION_EGRESS_ALLOW: externalSystem.host }
  })
  await server.saveAgent({ chat: { tools: [{ name: 'web-fetch', approval }] } })
  await updateWorkspace(server.ctx, { toolRules: rules })
  const session = await server.startSession('test')
  const end = await session.runTurn('fetch it')
  const fetchedPaths = () => externalSystem.requests.map(({ path }) => path)
  return { ...server, externalSystem, session, end, fetched: fetchedPaths }
}

/** Returns an agent with these tools whose model plays this script, in a workspace with these rules. */
async function agentWithRules(rules: ToolRules, tools: object[], script: ModelScript) {
  const server = await startTestServer({ script })
  await server.saveAgent({ chat: { tools: tools as never } })
  await updateWorkspace(server.ctx, { toolRules: rules })
  const session = await server.startSession('test')
  return { ...server, session, end: await session.runTurn('go') }
}

for (const mode of ['auto', 'ask'] as const)
  test(`001-15: mode ${mode} does not skip deny patterns: the call never runs or asks, and the model continues with the error`, async () => {
    const rules = [{ tool: 'web-fetch', mode, deny: ['/SECRET'], allow: ['.'] }]
    const {
      sql,
      session,
      end,
      fetched: fetchedPaths,
      model
    } = await agentWithFetches({ rules, approval: mode })
    expect(end).toMatchObject({ outcome: 'done', status: 'idle' })
    expect(fetchedPaths()).toEqual([])
    const { calls, messages } = await session.get()
    expect(calls).toMatchObject([
      { state: 'denied', answeredBy: 'approval policy', via: 'server', reason: policy }
    ])
    expect(messages[1]?.parts.find(part => 'toolCallId' in part)).toMatchObject({
      state: 'output-denied',
      approval: { approved: false, reason: policy }
    })
    expect(promptText(model.requests[1])).toContain(calls[0]?.reason)
    await expectValidSessions(sql)
  })

test('001-15: each call of a batch is checked on its own: one is denied, one runs, one needs approval', async () => {
  const rules = [{ mode: 'ask' as const, deny: ['/secret'], allow: ['"url":"[^"]*/open"'] }]
  const {
    sql,
    session,
    end,
    fetched: fetchedPaths
  } = await agentWithFetches({ rules, paths: ['/open', '/secret', '/other'] })
  expect(end).toMatchObject({ outcome: 'parked' })
  const other = await session.waitForCall('web-fetch')
  expect(other).toMatchObject({ kind: 'approval', input: { url: expect.stringMatching('/other$') } })
  await expect.poll(fetchedPaths).toEqual(['/open'])
  const ended = session.waitForEnd()
  await session.answer(other, { approved: true })
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(fetchedPaths()).toEqual(['/open', '/other'])
  expect((await session.get()).calls.map(({ state }) => state).toSorted()).toEqual([
    'answered',
    'approved',
    'denied'
  ])
  await expectValidSessions(sql)
})

test('001-15: an allow pattern and mode auto remove the approval of a tool; mode ask adds it', async () => {
  const allowed = await agentWithFetches({ rules: [{ allow: ['/secret'] }], approval: 'ask' })
  expect(allowed.end).toMatchObject({ outcome: 'done' })
  expect(allowed.fetched()).toEqual(['/secret'])
  const auto = await agentWithFetches({ rules: [{ tool: 'web-fetch', mode: 'auto' }], approval: 'ask' })
  expect(auto.fetched()).toEqual(['/secret'])
  const request = await agentWithFetches({ rules: [{ tool: 'web-fetch', mode: 'ask' }] })
  expect(request.end).toMatchObject({ outcome: 'parked' })
  expect(request.fetched()).toEqual([])
  const otherRules = await agentWithFetches({
    rules: [{ tool: 'github-open-issue', mode: 'ask', deny: ['.'] }]
  })
  expect(otherRules.fetched()).toEqual(['/secret'])
})

test('001-15: rules apply to the next step, without a new session', async () => {
  const externalServer = await startExternalSystem()
  const server = await startTestServer({
    script: [0, 1].flatMap(() => [
      replyCalls({ name: 'web-fetch', input: { url: `${externalServer.url}/a` } }),
      replyText('Done.')
    ]),
    settings: { WAYSTATION_EGRESS_ALLOW: externalServer.host }
  })
  await server.saveAgent({ chat: { tools: [{ name: 'web-fetch', approval: 'auto' }] } })
  const session = await server.startSession('test')
  await session.runTurn('once')
  await updateWorkspace(server.ctx, { toolRules: [{ deny: ['web-fetch'] }] })
  await session.runTurn('again')
  expect(externalServer.requests).toHaveLength(1)
})

test('001-15: a call that an external system or the browser fulfils still runs there, with or without an approval', async () => {
  const tools = [{ name: 'client-info', approval: 'ask' }, { name: 'ask-question' }]
  const script = () => [replyCalls({ name: 'client-info', input: {} }), replyText('Fine.')]
  const auto = await agentWithRules([{ mode: 'auto' }], tools, script())
  expect(await auto.session.waitForCall('client-info')).toMatchObject({ kind: 'client', where: 'browser' })
  const request = await agentWithRules([{ mode: 'ask' }], [{ name: 'client-info' }], script())
  const call = await request.session.waitForCall('client-info')
  expect(call).toMatchObject({ kind: 'approval', where: 'browser' })
  await request.session.answer(call, { approved: true })
  expect((await request.session.get()).session.waitingFor).toMatchObject([{ kind: 'client', state: 'open' }])
  const question = replyCalls({ name: 'ask-question', input: { question: 'Which?', inputType: 'text' } })
  const generalRule = await agentWithRules([{ mode: 'ask' }], tools, [question, replyText('Fine.')])
  expect(await generalRule.session.waitForCall('ask-question')).toMatchObject({ kind: 'question' })
})

test('001-15: no rule approves a proposal that gives the agent more permissions; a deny pattern rejects it', async () => {
  const server = await startTestServer()
  await server.saveAgent({
    chat: { tools: [{ name: 'commit_revision', approval: 'auto' }, { name: 'read_config' }] }
  })
  const session = await server.startSession('test')
  const propose = async () => {
    await session.runTurn('use read_config {}')
    const ownConfig = (await session.get()).calls.at(-1)?.output as { config: { chat: { tools: object[] } } }
    const chat = { ...ownConfig.config.chat, tools: [...ownConfig.config.chat.tools, { name: 'web-fetch' }] }
    await session.runTurn(
      `use commit_revision ${JSON.stringify({ ...ownConfig, version: undefined, config: { ...ownConfig.config, chat } })}`
    )
    return (await session.get()).calls.at(-1)
  }
  await updateWorkspace(server.ctx, { toolRules: [{ mode: 'auto', allow: ['.'] }] })
  expect(await propose()).toMatchObject({ toolName: 'commit_revision', kind: 'approval', state: 'open' })
  await updateWorkspace(server.ctx, { toolRules: [{ deny: ['"name":"web-fetch".*commit_revision'] }] })
  expect(await propose()).toMatchObject({ toolName: 'commit_revision', state: 'denied' })
})

const inputSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
const note = {
  name: 'note',
  where: 'external',
  description: 'Notes.',
  inputSchema,
  url: 'http://127.0.0.1:9/'
}
const notes = (text: string) => [replyCalls({ name: 'note', input: { text } }), replyText('Noted.')]

test('001-15: edited arguments are checked against deny patterns: the error explains it, and the call stays open', async () => {
  const { session } = await agentWithRules([{ mode: 'ask', deny: ['secret'] }], [note], notes('fine'))
  const call = await session.waitForCall('note')
  expect(call).toMatchObject({ kind: 'approval', where: 'external' })
  for (const text of ['a SECRET', 'a'.repeat(70_000)])
    await expect(session.answer(call, { approved: true, input: { text } })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      extra: { fields: { input: expect.any(String) } }
    })
  expect((await session.get()).session.waitingFor).toMatchObject([{ kind: 'approval', state: 'open' }])
  await session.answer(call, { approved: true, input: { text: 'other' } })
  expect((await session.get()).session.waitingFor).toMatchObject([
    { kind: 'external', editedInput: { text: 'other' } }
  ])
})

test('001-15: arguments too long to match need approval if any deny pattern exists', async () => {
  const { session } = await agentWithRules(
    [{ mode: 'auto', deny: ['never'] }],
    [note],
    notes('a'.repeat(70_000))
  )
  expect(await session.waitForCall('note')).toMatchObject({ kind: 'approval' })
  const autoMode = await agentWithRules([{ mode: 'auto', allow: ['a'] }], [note], notes('a'.repeat(70_000)))
  expect(await autoMode.session.waitForCall('note')).toMatchObject({ kind: 'external' })
})

test('001-15: the audit records each call that a rule denied or allowed: tool, call and pattern', async () => {
  const rules = [{ deny: ['/secret'], allow: ['/open'] }]
  const { session } = await agentWithFetches({ rules, paths: ['/open', '/secret', '/other'] })
  const { entries } = (await callEndpoint(externalOperations.audit)).body as { entries: object[] }
  const sessionCalls = (await session.get()).calls
  const callOf = (path: string) =>
    sessionCalls.find(({ input }) => (input as { url: string }).url.endsWith(path))?.toolCallId
  const auditEntry = {
    actor: 'approval policy',
    credential: 'rule',
    sessionId: session.id,
    toolName: 'web-fetch'
  }
  expect(entries).toHaveLength(2)
  expect(entries).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        ...auditEntry,
        action: 'call.allowed',
        toolCallId: callOf('/open'),
        pattern: '/open'
      }),
      expect.objectContaining({
        ...auditEntry,
        action: 'call.denied',
        toolCallId: callOf('/secret'),
        pattern: '/secret'
      })
    ])
  )
})

test('001-15: only the owner sets and reads the rules; an invalid rule is refused with its field, not skipped', async () => {
  const { ctx } = await startTestServer()
  const { get, update } = workspaceOperations
  const saveRules = (toolRules: unknown, secret?: string) =>
    callEndpoint(update, { body: { toolRules } }, secret)
  const rules = [{ tool: 'web-fetch', mode: 'ask', deny: ['a', 'b'], allow: ['c'] }, { deny: ['d'] }]
  expect((await callEndpoint(get)).body).toMatchObject({ toolRules: [] })
  expect(await saveRules(rules)).toMatchObject({ status: 200, body: { toolRules: rules } })
  await callEndpoint(update, { body: { retentionDays: 30 } })
  const repeat = (n: number, item: unknown) => Array.from({ length: n }, () => item)
  for (const [invalid, field] of [
    [[{ deny: ['ok', '(?=a)'] }], 'toolRules.0.deny.1'],
    [[{}, { allow: ['(a)\\1'] }], 'toolRules.1.allow.0'],
    [[{ deny: ['('] }], 'toolRules.0.deny.0'],
    [[{ deny: ['a'.repeat(501)] }], 'toolRules.0.deny.0'],
    [[{ deny: [''] }], 'toolRules.0.deny.0'],
    [[{ deny: repeat(51, 'a') }], 'toolRules.0.deny'],
    [repeat(101, {}), 'toolRules'],
    [[{ mode: 'never' }], 'toolRules.0.mode']
  ] as const) {
    const answer = await saveRules(invalid)
    expect(answer, field).toMatchObject({
      status: 422,
      body: { fields: { [field]: expect.any(String) } }
    })
  }
  expect((await callEndpoint(get)).body).toMatchObject({ toolRules: rules, retentionDays: 30 })
  const editorKey = await createKey(ctx, { name: 'Ed', role: 'editor' })
  expect((await saveRules([], editorKey.secret)).status).toBe(403)
})

test('001-15: rules can be tested for a call without saving them, and an invalid pattern is an error', async () => {
  const { ctx } = await startTestServer({ script: [] })
  const decide = (toolRules: ToolRules, parameters: Record<string, unknown> = {}) =>
    testToolRules(ctx, { toolRules, tool: 'shell', parameters })
  const rules: ToolRules = [{ tool: 'shell', deny: ['rm'], allow: ['ls'], mode: 'ask' }]
  expect(await decide(rules, { script: 'RM' })).toEqual({ decision: 'denied', pattern: 'rm' })
  expect(await decide(rules, { script: 'ls' })).toEqual({ decision: 'allowed', pattern: 'ls' })
  expect(await decide(rules)).toEqual({ decision: 'ask' })
  expect(await decide([{ mode: 'auto' }])).toEqual({ decision: 'auto' })
  expect(await decide([{ tool: 'web-fetch', mode: 'ask' }])).toEqual({ decision: 'agent' })
  expect(await decide(rules, { script: 'a'.repeat(70_000) })).toEqual({ decision: 'unsure' })
  await expect(decide([{ deny: ['(?=a)'] }])).rejects.toMatchObject({ code: 'INVALID_INPUT' })
})
