import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Call } from '@waystation/protocol/call/call.ts'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { getCatalogueEntry } from '#lib/agents/catalogue/get.ts'
import { listCatalogue } from '#lib/agents/catalogue/list.ts'
import { listTools } from '#lib/agents/list-tools.ts'
import { composeServer } from '#lib/compose/compose.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { autoTool, toolModule } from '#tests/support/fakes/defined-tool.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { pluginFolder } from '#tests/support/fakes/plugin-folder.ts'
import { startTestServer, type TestSession, testEnv } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

/** Starts a server with these modules. The agent `test` has these tools, and the demo model calls them. */
async function withTools(
  modules: Record<string, string>,
  tools: readonly string[],
  { settings = {}, ...options }: Parameters<typeof startTestServer>[0] & object = {}
) {
  const folder = await pluginFolder(modules)
  const server = await startTestServer({ ...options, settings: { WAYSTATION_TOOLS: folder, ...settings } })
  await server.saveAgent({ chat: { tools: tools.map(name => ({ name })) } })
  return { ...server, folder, session: await server.startSession('test') }
}

/** Returns the last call of each tool in a session. */
async function callsOf(session: TestSession): Promise<Record<string, Call>> {
  const { calls } = await session.get()
  const inOrder = calls.toSorted((a, b) => a.since.localeCompare(b.since))
  return Object.fromEntries(inOrder.map(call => [call.toolName, call]))
}

const uses = (...calls: [name: string, input?: object][]) =>
  calls.map(([name, input = {}]) => `use ${name} ${JSON.stringify(input)}`).join('\n')

test('003-19: a tool in the folder waits for its approval, receives typed arguments and its call, and returns its result', async () => {
  const refund = toolModule(`name: 'refund',
    inputSchema: z.object({ at: z.string().transform(text => new Date(text)), amount: z.number().default(5) }),
    outputSchema: z.object({ year: z.number(), amount: z.number(), keys: z.array(z.string()), ids: z.array(z.string()) }),
    execute: ({ at, amount }, context) => ({ year: at.getUTCFullYear(), amount, dropped: 1,
      keys: Object.keys(context).sort(),
      ids: [context.sessionId, context.workspaceId, context.agentId, context.toolCallId, context.idempotencyKey] })`)
  const { session } = await withTools({ 'refund.mjs': refund }, ['refund'])
  await session.send(uses(['refund', { at: '2026-03-01' }]))
  const call = await session.waitForCall('refund')
  expect(call).toMatchObject({ kind: 'approval', where: 'server', input: { at: '2026-03-01' } })
  await session.answer(call, { approved: true })
  await session.waitForEnd()
  const { toolCallId } = call
  expect((await callsOf(session)).refund).toMatchObject({
    state: 'approved',
    output: {
      year: 2026,
      amount: 5,
      keys: [
        ...[
          'agentId',
          'fetch',
          'idempotencyKey',
          'sessionId',
          'signal',
          'toolCallId',
          'userId',
          'workspaceId'
        ]
      ],
      ids: [session.id, 'default', 'test', toolCallId, toolCallId]
    }
  })
})

test('arguments that do not match the schema never reach the tool, nor do edited ones', async () => {
  const add = toolModule(`name: 'add', inputSchema: z.object({ n: z.number().refine(n => {
    if (n === 13) throw new Error('unlucky')
    return n > 0
  }, 'must be positive') }), execute: ({ n }) => n`)
  const { session } = await withTools({ 'add.mjs': add }, ['add'])
  for (const [n, reason] of [
    [-1, 'must be positive'],
    [13, 'unlucky']
  ] as const) {
    await session.runTurn(uses(['add', { n }]))
    expect((await callsOf(session)).add).toMatchObject({
      state: 'failed',
      errorText: expect.stringContaining(reason)
    })
  }
  await session.send(uses(['add', { n: 1 }]))
  const call = await session.waitForCall('add')
  for (const n of [-2, 13])
    await expect(session.answer(call, { approved: true, input: { n } })).rejects.toMatchObject({
      code: 'INVALID_INPUT'
    })
  await session.answer(call, { approved: true, input: { n: 2 } })
  await session.waitForEnd()
  expect((await callsOf(session)).add).toMatchObject({ output: 2 })
})

const wrongResult = 'outputSchema: z.object({ left: z.number() }),'
const oneSecond = 'timeout: 1,'

test.each<[what: string, execute: string, more?: string, ownText?: string]>([
  ['throws', `() => { throw new Error('no such order') }`, '', 'no such order'],
  ['rejects later', `async () => { await new Promise(setImmediate); throw new Error('late') }`, '', 'late'],
  ['throws a value without a text', `() => { throw Object.create(null) }`],
  ['throws nothing', `() => { throw undefined }`],
  ['returns a BigInt', `() => ({ n: 1n })`],
  ['returns a cycle', `() => { const a = {}; a.a = a; return a }`],
  ['returns a function', `() => () => 1`],
  ['returns a value whose toJSON throws', `() => ({ toJSON() { throw new Error('own') } })`, '', 'own'],
  ['returns deeply nested lists', `() => JSON.parse('['.repeat(150) + ']'.repeat(150))`],
  ['returns too much', `() => 'x'.repeat(1_000_001)`, '', '1000003'],
  ['breaks its outputSchema', `() => ({ left: 'many' })`, wrongResult, 'left'],
  ['never returns', `() => new Promise(() => {})`, oneSecond, '1 s'],
  [
    'ignores its time limit and then throws',
    `(_, { signal }) => new Promise((_, no) =>
      signal.addEventListener('abort', () => setTimeout(no, 5, new Error('after'))))`,
    oneSecond,
    '1 s'
  ]
])(
  '003-19: the model reads a definite error from a tool that %s, and the turn goes on',
  async (_, execute, more, ownText = '') => {
    const { session } = await withTools({ 'bad.mjs': autoTool('bad', execute, more) }, ['bad'])
    expect(await session.runTurn(uses(['bad']))).toMatchObject({ outcome: 'done' })
    expect((await callsOf(session)).bad).toMatchObject({
      state: 'failed',
      errorText: expect.stringContaining(ownText)
    })
  }
)

test('values that JSON can write are stored as JSON, and a tool can use its own fields', async () => {
  const { session } = await withTools(
    {
      'a.mjs': autoTool('nothing', '() => undefined'),
      'b.mjs': autoTool('dates', 'async () => ({ at: new Date(0), skip: undefined, not: NaN })'),
      'c.mjs': autoTool('nul', "() => 'a\\u0000b\\ud800'"),
      'd.mjs': autoTool('named', 'function () { return this.name }')
    },
    ['nothing', 'dates', 'nul', 'named']
  )
  await session.runTurn(uses(['nothing'], ['dates'], ['nul'], ['named']))
  const { nothing, dates, nul, named } = await callsOf(session)
  expect([nothing?.errorText, named?.output]).toEqual([undefined, 'named'])
  expect(dates?.output).toEqual({ at: '1970-01-01T00:00:00.000Z', not: null })
  expect(nul?.output).toEqual(expect.stringMatching(/^a.*b/))
})

test('the requests of a tool follow the egress rules, carry the call as their key, and end with the call', async () => {
  const system = await startExternalSystem((response, { path }) => {
    if (path === '/hangs') return
    response.setHeader('content-type', 'application/json').end('{"ok":true}')
  })
  const reads = autoTool(
    'reads',
    `async ({ url }, { fetch }) => {
      const response = await fetch(new URL(url), { method: 'POST', body: 'x', headers: { a: 'b' } })
      return { status: response.status, ...(await response.json()) }
    }`,
    'timeout: 2,'
  )
  const { session } = await withTools({ 'reads.mjs': reads }, ['reads'], {
    settings: { WAYSTATION_EGRESS_ALLOW: system.host }
  })
  await session.runTurn(uses(['reads', { url: system.url }]))
  const { reads: call } = await callsOf(session)
  expect(call?.output).toEqual({ status: 200, ok: true })
  expect(system.requests[0]).toMatchObject({
    method: 'POST',
    body: 'x',
    headers: { a: 'b', 'idempotency-key': call?.toolCallId }
  })
  await session.runTurn(uses(['reads', { url: 'http://169.254.169.254/latest' }]))
  expect((await callsOf(session)).reads).toMatchObject({ state: 'failed' })
  await session.runTurn(uses(['reads', { url: `${system.url}/hangs` }]))
  expect((await callsOf(session)).reads).toMatchObject({ errorText: expect.stringContaining('2 s') })
  expect(system.requests).toHaveLength(2)
})

test('the signal of a tool fires when a user stops the turn, and not after its call has ended', async () => {
  const signals: AbortSignal[] = []
  vi.stubGlobal('seenSignals', signals)
  onTestFinished(() => void vi.unstubAllGlobals())
  const waits = autoTool(
    'waits',
    `({ hang }, { signal }) => {
      globalThis.seenSignals.push(signal)
      return hang ? new Promise(() => {}) : 'fine'
    }`
  )
  const { session } = await withTools({ 'waits.mjs': waits }, ['waits'])
  await session.runTurn(uses(['waits']))
  await session.send(uses(['waits', { hang: true }]))
  await expect.poll(() => signals.length).toBe(2)
  await session.cancel()
  expect(await session.waitForEnd()).toMatchObject({ outcome: 'cancelled' })
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true])
})

test('a browser tool has no code, and a client of the session answers its calls', async () => {
  const pick = toolModule(`name: 'pick-color', where: 'browser', approval: 'auto',
    outputSchema: z.object({ color: z.string() })`)
  const { session } = await withTools({ 'pick.mjs': pick }, ['pick-color'])
  await session.send(uses(['pick-color']))
  const call = await session.waitForCall('pick-color')
  expect(call).toMatchObject({ kind: 'client', where: 'browser' })
  await expect(session.answer(call, { output: { color: 1 } })).rejects.toMatchObject({
    code: 'INVALID_INPUT'
  })
  await session.answer(call, { output: { color: 'blue' } })
  await session.waitForEnd()
  expect((await callsOf(session))['pick-color']).toMatchObject({
    state: 'answered',
    output: { color: 'blue' }
  })
})

test('003-19: the lists of tools and the catalog show the tools of the folder and of plugins with their source', async () => {
  const plugins = await pluginFolder({
    'desk.mjs': `${autoTool('from-plugin', '() => 1').replace('export default', 'const tool =')}
      export default { name: 'desk', hooks: () => ({}), tools: [tool] }`
  })
  const { ctx, session, saveAgent, startSession } = await withTools(
    { 'own.ts': toolModule(`name: 'from-file', execute: () => 2`) },
    ['from-file'],
    {
      settings: {
        WAYSTATION_PLUGINS: plugins,
        WAYSTATION_WORKSPACES: workspaceFolder('agent "clerk" { tools = ["from-file"] }')
      }
    }
  )
  const { tools } = await listTools(ctx)
  expect(tools.filter(({ source }) => source !== undefined)).toEqual([
    {
      name: 'from-plugin',
      description: 'For tests.',
      where: 'server',
      approval: 'auto',
      source: 'plugin desk'
    },
    { name: 'from-file', description: 'For tests.', where: 'server', approval: 'ask', source: 'own.ts' }
  ])
  const { entries } = await listCatalogue(ctx, {})
  expect(entries).toContainEqual(
    expect.objectContaining({ slug: 'from-file', source: 'own.ts', kind: 'tool' })
  )
  expect(await getCatalogueEntry(ctx, { slug: 'from-file' })).toMatchObject({
    data: { parameters: { tool: { inputSchema: { type: 'object' } } } },
    usedBy: [{ agentId: 'clerk' }, { agentId: 'test' }]
  })
  const prompt = await ctx.ports.previewPrompt(ctx, { sessionId: session.id, text: 'hi' })
  expect(prompt.tools).toMatchObject([{ name: 'from-file', inputSchema: { type: 'object' } }])
  const clerk = await startSession('clerk')
  await clerk.send(uses(['from-file']))
  expect(await clerk.waitForCall('from-file')).toMatchObject({ kind: 'approval' })
  await session.send(uses(['from-file']))
  expect(await session.waitForCall('from-file')).toMatchObject({ kind: 'approval' })
  await saveAgent({ agentId: 'other', chat: { tools: [{ name: 'from-plugin' }] } })
  const other = await startSession('other')
  await other.runTurn(uses(['from-plugin']))
  expect((await callsOf(other))['from-plugin']).toMatchObject({ output: 1 })
})

describe('003-19: a server does not start with', () => {
  const named = (name: string) => toolModule(`name: '${name}', execute: () => 1`)
  const tool = (fields: string) => ({ 'a.mjs': toolModule(`name: 'a', ${fields}`) })
  test.each<[what: string, modules: Record<string, string>, place: RegExp]>([
    ['a file that cannot be loaded', { 'a.mjs': 'export default {' }, /a\.mjs/],
    ['a file that throws', { 'a.mjs': 'throw new Error("own text")' }, /a\.mjs.*own text/],
    ['a missing package', { 'a.mjs': 'import "left-pad"' }, /a\.mjs.*left-pad/],
    ['a file without a default export', { 'a.mjs': 'export const a = 1' }, /a\.mjs/],
    ['a tool without a function', tool(''), /a\.mjs.*execute/],
    ['a misspelled field', tool(`aproval: 'auto', execute: () => 1`), /a\.mjs.*aproval/],
    ['a wrong tool in a list', { 'a.mjs': 'export default [{ name: "a b" }]' }, /a\.mjs.*0\.name/],
    ['arguments that are not an object', tool('inputSchema: z.string(), execute: () => 1'), /inputSchema/],
    [
      'arguments without JSON Schema',
      tool('inputSchema: z.object({ a: z.date() }), execute: () => 1'),
      /inputSchema/
    ],
    ['a schema of another library', tool('inputSchema: { parse() {} }, execute: () => 1'), /inputSchema/],
    ['a time limit of no time', tool('timeout: 0, execute: () => 1'), /timeout/],
    ['an external tool', tool(`where: 'external'`), /where/],
    ['a browser tool with code', tool(`where: 'browser', execute: () => 1`), /execute/],
    ['the name of a built-in tool', { 'a.mjs': named('web-fetch') }, /a\.mjs.*"web-fetch"/],
    ['a reserved name', { 'a.mjs': named('handoff_to_b') }, /a\.mjs.*name/],
    ['two tools with one name', { 'a.mjs': named('a'), 'b.mjs': named('a') }, /"a".*a\.mjs.*b\.mjs/]
  ])('%s, and names the file and the field', async (_, modules, place) => {
    const env = testEnv('postgres://nowhere', { WAYSTATION_TOOLS: await pluginFolder(modules) })
    await expect(composeServer(env)).rejects.toThrow(place)
  })

  test('a plugin whose tools are wrong', async () => {
    const modules = { 'a.mjs': `export default { name: 'a', hooks: () => ({}), tools: [{ name: 'b c' }] }` }
    const env = testEnv('postgres://nowhere', { WAYSTATION_PLUGINS: await pluginFolder(modules) })
    await expect(composeServer(env)).rejects.toThrow(/a\.mjs.*tools.*0\.name/)
  })

  test('a folder that does not exist', async () => {
    const env = testEnv('postgres://nowhere', { WAYSTATION_TOOLS: '/nowhere/at/all' })
    await expect(composeServer(env)).rejects.toThrow('/nowhere/at/all')
  })
})

test('tests, declarations and other files in the folder are not tools', async () => {
  const { ctx } = await withTools(
    { 'a.mjs': autoTool('a', '() => 1'), 'a.test.ts': 'throw 1', 'a.d.ts': 'throw 1', 'note.md': 'throw 1' },
    []
  )
  expect((await listTools(ctx)).tools.filter(({ source }) => source)).toHaveLength(1)
})

test('003-19: an open call of a tool that no longer exists ends with an error that the model reads', async () => {
  const { session, folder, stopServer, startSecondServer, reopenSession } = await withTools(
    { 'a.mjs': toolModule(`name: 'gone', execute: () => 1`) },
    ['gone']
  )
  await session.send(uses(['gone']))
  const call = await session.waitForCall('gone')
  await rm(join(folder, 'a.mjs'))
  await stopServer()
  const { ctx } = await startSecondServer()
  const again = await reopenSession(session.id, ctx)
  await again.answer(call, { approved: true }, ctx)
  expect(await again.waitForEnd()).toMatchObject({ outcome: 'done' })
  expect((await again.waitForSettled(call)).state).toBe('approved')
  expect((await callsOf(again)).gone).toMatchObject({ errorText: expect.stringContaining('"gone"') })
})

test('003-19: in development, the next step runs a changed file, and a broken file keeps the previous version', async () => {
  allowErrors(/cannot be loaded/)
  const version = (n: number) => autoTool('versioned', `() => ${n}`)
  const { session, folder, model, ctx } = await withTools({ 'a.mjs': version(1) }, ['versioned', 'added'], {
    settings: { NODE_ENV: 'development' },
    script: async ({ body }, index) => {
      if (index === 1) {
        await writeFile(join(folder, 'a.mjs'), version(2))
        await vi.waitFor(() => expect(ctx.ports.tools.get('versioned')).not.toBe(first))
      }
      return index < 2
        ? replyCalls({ name: 'versioned', input: {} })
        : replyText(JSON.stringify(body.messages))
    }
  })
  const first = ctx.ports.tools.get('versioned')
  await session.runTurn('go')
  const results = model.requests.at(-1)?.body.messages.filter(({ role }) => role === 'tool')
  expect(results?.map(({ content }) => content)).toEqual(['1', '2'])

  const second = ctx.ports.tools.get('versioned')
  await writeFile(join(folder, 'b.mjs'), autoTool('added', '() => 1'))
  await writeFile(join(folder, 'a.mjs'), 'export default {')
  await vi.waitFor(() => expect(ctx.ports.tools.has('added')).toBe(true))
  expect(ctx.ports.tools.get('versioned')).toBe(second)

  // Many editors save a file by replacing it, and others write into the new one later.
  const replace = async (text: string) => {
    await writeFile(join(folder, '.a.mjs.tmp'), text)
    await rename(join(folder, '.a.mjs.tmp'), join(folder, 'a.mjs'))
  }
  for (const [n, save] of [
    [3, replace],
    [4, (text: string) => writeFile(join(folder, 'a.mjs'), text)]
  ] as const) {
    const before = ctx.ports.tools.get('versioned')
    await save(version(n))
    await vi.waitFor(() => expect(ctx.ports.tools.get('versioned')).not.toBe(before))
  }
})
