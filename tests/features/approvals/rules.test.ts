import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import type { ToolRules } from '#lib/auth/workspaces/tool-rules.ts'
import { updateWorkspace } from '#lib/auth/workspaces/update-workspace.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { workspaceOperations } from '#lib/http/operations/workspace.ts'
import { calls, says } from '#tests/support/fakes/openai-replies.ts'
import type { ModelScript } from '#tests/support/fakes/openai-server.ts'
import { startOtherSystem } from '#tests/support/fakes/other-system.ts'
import { callEndpoint } from '#tests/support/worlds/call-endpoint.ts'
import { expectSoundSessions } from '#tests/support/worlds/sound-sessions.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

const policy = expect.any(String)
const words = (request: { body: { messages: unknown } } | undefined) => JSON.stringify(request?.body.messages)

type Fetches = { rules?: ToolRules; approval?: 'auto' | 'ask'; paths?: string[] }

/** An agent that fetches these paths in one step, in a workspace with these rules. */
async function fetching({ rules = [], approval = 'auto', paths = ['/secret'] }: Fetches) {
  const outside = await startOtherSystem()
  const fetches = paths.map(path => ({ name: 'web-fetch', input: { url: `${outside.url}${path}` } }))
  const world = await testWorld({
    script: [calls(...fetches), says('Done.')],
    settings: { WAYSTATION_EGRESS_ALLOW: outside.host }
  })
  await world.agent({ chat: { tools: [{ name: 'web-fetch', approval }] } })
  await updateWorkspace(world.ctx, { toolRules: rules })
  const session = await world.session('test')
  const end = await session.says('fetch it')
  const fetched = () => outside.requests.map(({ path }) => path)
  return { ...world, outside, session, end, fetched }
}

/** An agent with these tools whose model does this, in a workspace with these rules. */
async function ruled(rules: ToolRules, tools: object[], script: ModelScript) {
  const world = await testWorld({ script })
  await world.agent({ chat: { tools: tools as never } })
  await updateWorkspace(world.ctx, { toolRules: rules })
  const session = await world.session('test')
  return { ...world, session, end: await session.says('go') }
}

for (const mode of ['auto', 'ask'] as const)
  test(`001-15: mode ${mode} does not skip deny patterns: the call never runs, nobody is asked, the model is told and goes on`, async () => {
    const rules = [{ tool: 'web-fetch', mode, deny: ['/SECRET'], allow: ['.'] }]
    const { sql, session, end, fetched, model } = await fetching({ rules, approval: mode })
    expect(end).toMatchObject({ outcome: 'done', status: 'idle' })
    expect(fetched()).toEqual([])
    const { calls, messages } = await session.get()
    expect(calls).toMatchObject([
      { state: 'denied', answeredBy: 'approval policy', via: 'server', reason: policy }
    ])
    expect(messages[1]?.parts.find(part => 'toolCallId' in part)).toMatchObject({
      state: 'output-denied',
      approval: { approved: false, reason: policy }
    })
    expect(words(model.requests[1])).toContain(calls[0]?.reason)
    await expectSoundSessions(sql)
  })

test('001-15: of a batch each call is judged by itself: one is denied, one runs, one is asked about', async () => {
  const rules = [{ mode: 'ask' as const, deny: ['/secret'], allow: ['"url":"[^"]*/open"'] }]
  const { sql, session, end, fetched } = await fetching({ rules, paths: ['/open', '/secret', '/other'] })
  expect(end).toMatchObject({ outcome: 'parked' })
  const other = await session.waitsFor('web-fetch')
  expect(other).toMatchObject({ kind: 'approval', input: { url: expect.stringMatching('/other$') } })
  await expect.poll(fetched).toEqual(['/open'])
  const ended = session.ends()
  await session.answer(other, { approved: true })
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(fetched()).toEqual(['/open', '/other'])
  expect((await session.get()).calls.map(({ state }) => state).toSorted()).toEqual([
    'answered',
    'approved',
    'denied'
  ])
  await expectSoundSessions(sql)
})

test('001-15: an allow pattern and mode auto take the approval of a tool away; mode ask brings it', async () => {
  const allowed = await fetching({ rules: [{ allow: ['/secret'] }], approval: 'ask' })
  expect(allowed.end).toMatchObject({ outcome: 'done' })
  expect(allowed.fetched()).toEqual(['/secret'])
  const auto = await fetching({ rules: [{ tool: 'web-fetch', mode: 'auto' }], approval: 'ask' })
  expect(auto.fetched()).toEqual(['/secret'])
  const asked = await fetching({ rules: [{ tool: 'web-fetch', mode: 'ask' }] })
  expect(asked.end).toMatchObject({ outcome: 'parked' })
  expect(asked.fetched()).toEqual([])
  const others = await fetching({ rules: [{ tool: 'github-open-issue', mode: 'ask', deny: ['.'] }] })
  expect(others.fetched()).toEqual(['/secret'])
})

test('001-15: rules hold for the next step, without a new session', async () => {
  const outside = await startOtherSystem()
  const world = await testWorld({
    script: [0, 1].flatMap(() => [
      calls({ name: 'web-fetch', input: { url: `${outside.url}/a` } }),
      says('Done.')
    ]),
    settings: { WAYSTATION_EGRESS_ALLOW: outside.host }
  })
  await world.agent({ chat: { tools: [{ name: 'web-fetch', approval: 'auto' }] } })
  const session = await world.session('test')
  await session.says('once')
  await updateWorkspace(world.ctx, { toolRules: [{ deny: ['web-fetch'] }] })
  await session.says('again')
  expect(outside.requests).toHaveLength(1)
})

test('001-15: what another system or the browser fulfils stays theirs, asked about first or not', async () => {
  const tools = [{ name: 'client-info', approval: 'ask' }, { name: 'ask-question' }]
  const script = () => [calls({ name: 'client-info', input: {} }), says('Fine.')]
  const auto = await ruled([{ mode: 'auto' }], tools, script())
  expect(await auto.session.waitsFor('client-info')).toMatchObject({ kind: 'client', where: 'browser' })
  const asked = await ruled([{ mode: 'ask' }], [{ name: 'client-info' }], script())
  const call = await asked.session.waitsFor('client-info')
  expect(call).toMatchObject({ kind: 'approval', where: 'browser' })
  await asked.session.answer(call, { approved: true })
  expect((await asked.session.get()).session.waitingFor).toMatchObject([{ kind: 'client', state: 'open' }])
  const question = calls({ name: 'ask-question', input: { question: 'Which?', inputType: 'text' } })
  const general = await ruled([{ mode: 'ask' }], tools, [question, says('Fine.')])
  expect(await general.session.waitsFor('ask-question')).toMatchObject({ kind: 'question' })
})

test('001-15: no rule lets a proposal pass that lets the agent do more; a deny pattern stops it', async () => {
  const world = await testWorld()
  await world.agent({
    chat: { tools: [{ name: 'commit_revision', approval: 'auto' }, { name: 'read_config' }] }
  })
  const session = await world.session('test')
  const proposes = async () => {
    await session.says('use read_config {}')
    const read = (await session.get()).calls.at(-1)?.output as { config: { chat: { tools: object[] } } }
    const chat = { ...read.config.chat, tools: [...read.config.chat.tools, { name: 'web-fetch' }] }
    await session.says(
      `use commit_revision ${JSON.stringify({ ...read, version: undefined, config: { ...read.config, chat } })}`
    )
    return (await session.get()).calls.at(-1)
  }
  await updateWorkspace(world.ctx, { toolRules: [{ mode: 'auto', allow: ['.'] }] })
  expect(await proposes()).toMatchObject({ toolName: 'commit_revision', kind: 'approval', state: 'open' })
  await updateWorkspace(world.ctx, { toolRules: [{ deny: ['"name":"web-fetch".*commit_revision'] }] })
  expect(await proposes()).toMatchObject({ toolName: 'commit_revision', state: 'denied' })
})

const inputSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
const note = {
  name: 'note',
  where: 'external',
  description: 'Notes.',
  inputSchema,
  url: 'http://127.0.0.1:9/'
}
const notes = (text: string) => [calls({ name: 'note', input: { text } }), says('Noted.')]

test('001-15: edited arguments are judged by deny patterns again: refused in a sentence, the call stays open', async () => {
  const { session } = await ruled([{ mode: 'ask', deny: ['secret'] }], [note], notes('fine'))
  const call = await session.waitsFor('note')
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

test('001-15: arguments too long to search are asked of a person where anything is denied', async () => {
  const { session } = await ruled([{ mode: 'auto', deny: ['never'] }], [note], notes('a'.repeat(70_000)))
  expect(await session.waitsFor('note')).toMatchObject({ kind: 'approval' })
  const free = await ruled([{ mode: 'auto', allow: ['a'] }], [note], notes('a'.repeat(70_000)))
  expect(await free.session.waitsFor('note')).toMatchObject({ kind: 'external' })
})

test('001-15: what a rule denied or allowed is in the audit: tool, call and pattern', async () => {
  const rules = [{ deny: ['/secret'], allow: ['/open'] }]
  const { session } = await fetching({ rules, paths: ['/open', '/secret', '/other'] })
  const { entries } = (await callEndpoint(externalOperations.audit)).body as { entries: object[] }
  const made = (await session.get()).calls
  const of = (path: string) =>
    made.find(({ input }) => (input as { url: string }).url.endsWith(path))?.toolCallId
  const by = { actor: 'approval policy', credential: 'rule', sessionId: session.id, toolName: 'web-fetch' }
  expect(entries).toHaveLength(2)
  expect(entries).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...by, action: 'call.allowed', toolCallId: of('/open'), pattern: '/open' }),
      expect.objectContaining({ ...by, action: 'call.denied', toolCallId: of('/secret'), pattern: '/secret' })
    ])
  )
})

test('001-15: the rules are the owner’s to set and see; what cannot be used is refused with its field, not skipped', async () => {
  const { ctx } = await testWorld()
  const { get, update } = workspaceOperations
  const put = (toolRules: unknown, secret?: string) => callEndpoint(update, { body: { toolRules } }, secret)
  const rules = [{ tool: 'web-fetch', mode: 'ask', deny: ['a', 'b'], allow: ['c'] }, { deny: ['d'] }]
  expect((await callEndpoint(get)).body).toMatchObject({ toolRules: [] })
  expect(await put(rules)).toMatchObject({ status: 200, body: { toolRules: rules } })
  await callEndpoint(update, { body: { retentionDays: 30 } })
  const many = (n: number, one: unknown) => Array.from({ length: n }, () => one)
  for (const [bad, field] of [
    [[{ deny: ['ok', '(?=a)'] }], 'toolRules.0.deny.1'],
    [[{}, { allow: ['(a)\\1'] }], 'toolRules.1.allow.0'],
    [[{ deny: ['('] }], 'toolRules.0.deny.0'],
    [[{ deny: ['a'.repeat(501)] }], 'toolRules.0.deny.0'],
    [[{ deny: [''] }], 'toolRules.0.deny.0'],
    [[{ deny: many(51, 'a') }], 'toolRules.0.deny'],
    [many(101, {}), 'toolRules'],
    [[{ mode: 'never' }], 'toolRules.0.mode']
  ] as const) {
    const answer = await put(bad)
    expect(answer, field).toMatchObject({
      status: 422,
      body: { fields: { [field]: expect.any(String) } }
    })
  }
  expect((await callEndpoint(get)).body).toMatchObject({ toolRules: rules, retentionDays: 30 })
  const ed = await createKey(ctx, { name: 'Ed', role: 'editor' })
  expect((await put([], ed.secret)).status).toBe(403)
})
