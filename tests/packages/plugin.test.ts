import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Code, createClient } from '@connectrpc/connect'
import { createGrpcTransport } from '@connectrpc/connect-node'
import {
  type CallContext,
  type HookPayloads,
  type ModelMessage,
  PluginError,
  plugin,
  type SettingFields
} from '@waystation/plugin'
import { type PluginTestOptions, type TestIds, testPlugin } from '@waystation/plugin/testing'
import type { LifecycleType } from '@waystation/plugin-host/contract.ts'
import { Plugin } from '@waystation/plugin-host/generated/plugin_pb.ts'
import { ToolProvider } from '@waystation/plugin-host/generated/tool_pb.ts'
import { ViewProvider } from '@waystation/plugin-host/generated/view_pb.ts'
import { servePlatform } from '@waystation/plugin-host/serve-platform.ts'
import { expect, expectTypeOf, onTestFinished, test } from 'vitest'
import type { LifecyclePayload } from '#lib/plugins/lifecycle/payloads.ts'
import { readManifest } from '#lib/plugins/workspace-files/read-manifest.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { makeCertificate } from '#tests/support/fakes/certificates.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { checkPlugin } from '#tests/support/fakes/plugins/check-plugin.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

const about = { name: 'desk', version: '1.2.0', description: 'Things on a desk.' }
/** A plugin with every capability. Its tool `wait` ends when the call is canceled. */
function desk({ started, canceled }: { started?: () => void; canceled?: () => void } = {}) {
  const guests: string[] = []
  return plugin({
    ...about,
    settings: {
      unit: { type: 'string', options: ['celsius', 'fahrenheit'], default: 'celsius' },
      limit: { type: 'number', default: 3 },
      loud: { type: 'bool' }
    },
    tools: {
      sum: {
        description: 'Adds numbers.',
        parameters: {
          type: 'object',
          properties: { values: { type: 'array', items: { type: 'number' } }, label: { type: 'string' } },
          required: ['values']
        },
        run({ values, label }, { settings }) {
          expectTypeOf(values).toEqualTypeOf<number[]>()
          expectTypeOf(label).toEqualTypeOf<string | undefined>()
          expectTypeOf(settings.unit).toEqualTypeOf<'celsius' | 'fahrenheit'>()
          expectTypeOf(settings.limit).toEqualTypeOf<number>()
          expectTypeOf(settings.loud).toEqualTypeOf<boolean | undefined>()
          if (values.length > settings.limit)
            throw new PluginError('INVALID_ARGUMENT', `Add up to ${settings.limit} numbers.`)
          return { sum: values.reduce((total, value) => total + value, 0), label, settings }
        }
      },
      nothing: { description: 'Returns nothing.', run: () => undefined },
      call: {
        description: 'Returns the IDs of its call.',
        run: (_, { workspaceId, sessionId, userId, callId, idempotencyKey, env }) => ({
          ids: [workspaceId, sessionId, userId, callId, idempotencyKey],
          region: env.REGION,
          path: env.PATH
        })
      },
      wait: {
        description: 'Waits.',
        run: (_, { signal }) =>
          new Promise((_, reject) => {
            started?.()
            signal.addEventListener('abort', () => {
              canceled?.()
              reject(signal.reason)
            })
          })
      },
      ask: {
        description: 'Asks the default agent.',
        run: async (_, { converse }) => (await Array.fromAsync(converse('Who are you?'))).at(-1)
      }
    },
    hooks: {
      TOOL_CALL: ({ tool_name }, { agentName }) =>
        tool_name === 'nothing' && agentName !== 'boss' ? 'CANCEL' : undefined,
      LLM_REQUEST: event => ({
        modify: { ...event, messages: [...event.messages, { role: 'user', content: 'Be brief.' }] }
      })
    },
    async *model({ model, messages, tools, topP }) {
      if (model === 'busy') throw new PluginError('RESOURCE_EXHAUSTED', 'Come back later.')
      if (model === 'twice') throw new PluginError('ALREADY_EXISTS', 'There is one.')
      expectTypeOf(messages).toEqualTypeOf<ModelMessage[]>()
      yield { type: 'text', text: `${messages.length} messages${topP === undefined ? '' : `, ${topP}`}` }
      yield { type: 'tool-call', id: 'a', name: tools[0]?.name, chunk: '{}' }
      yield { type: 'usage', inputTokens: 1, outputTokens: 2 }
      yield { type: 'finish', reason: 'tool-use' }
    },
    views: {
      book: {
        label: 'Guest book',
        icon: 'calendar',
        render: ({ title = 'Guests' }) => [
          { type: 'text', content: title, style: 'heading' },
          {
            type: 'card',
            components: [{ type: 'stat-group', stats: { count: { label: 'Guests', value: guests.length } } }]
          },
          {
            type: 'form',
            name: 'sign',
            action: '/guests/new',
            fields: { name: { type: 'string', required: true } }
          }
        ],
        routes: {
          'POST /guests/{id}'({ params, json }) {
            expectTypeOf(params).toEqualTypeOf<{ id: string }>()
            const body = json()
            if (typeof body !== 'string') return { status: 422, json: { error: 'Send a text.' } }
            guests.push(body)
            return { json: { message: `${params.id}: ${body}` } }
          },
          'GET /files/*': ({ params }) => ({
            body: params['*'],
            headers: { 'content-type': 'text/plain' }
          })
        }
      },
      plain: { label: 'Plain', scope: 'global', render: () => 'component "a" {\n  type = "divider"\n}' }
    },
    async *stream(messages, { userEmail, workspaceId }) {
      for await (const message of messages) yield message
      yield { type: 'content', agent: 'desk', content: `${userEmail} ${workspaceId}` }
    }
  })
}

/** Starts a plugin in this process, as for a server on another machine. */
async function listen(served: ReturnType<typeof plugin>, token?: string) {
  const listening = await served.listen({ address: '127.0.0.1:0', token })
  onTestFinished(listening.close)
  return { ...listening, transport: createGrpcTransport({ baseUrl: `http://${listening.address}` }) }
}

test('the test host of the plugin package lists what a plugin has, and calls its tools', async () => {
  await using host = await testPlugin(desk(), { settings: { limit: 2, loud: true }, env: { REGION: 'eu' } })
  expect(host).toMatchObject({ name: 'desk', events: ['LLM_REQUEST', 'TOOL_CALL'], skipped: [] })
  expect(host.tools.map(({ name }) => name)).toEqual(['sum', 'nothing', 'call', 'wait', 'ask'])
  expect(host.tools[0]).toMatchObject({ name: 'sum', parameters: { required: ['values'] } })
  expect(host.views.map(({ name, scope, routes }) => [name, scope, routes.length])).toEqual([
    ['book', 'workspace', 2],
    ['plain', 'global', 0]
  ])
  expect(await host.callTool('sum', { values: [1, 2] })).toEqual({
    ok: true,
    result: { sum: 3, settings: { unit: 'celsius', limit: 2, loud: true } }
  })
  expect(await host.callTool('sum', { values: [1, 2, 3] })).toEqual({
    ok: false,
    reason: 'Add up to 2 numbers.'
  })
  expect(await host.callTool('nothing')).toEqual({ ok: true, result: null })
  expect(await host.callTool('none')).toEqual({ ok: false, reason: 'There is no tool “none”.' })
  expect(await host.callTool('call')).toMatchObject({ result: { region: 'eu' } })
  expect(await host.callTool('call')).not.toMatchObject({ result: { path: expect.any(String) } })
  expect(await host.isHealthy()).toBe(true)
})

test('the test host of the plugin package calls hooks, models, views, routes and streams', async () => {
  await using host = await testPlugin(desk())
  const call = { tool_name: 'nothing', arguments_json: '{}' }
  expect(await host.sendEvent('TOOL_CALL', call)).toEqual({ action: 'cancel' })
  expect(await host.sendEvent('TOOL_CALL', call, { agentName: 'boss' })).toEqual({ action: 'continue' })
  const prompt = { model: 'm', messages: [], tools: [] }
  expect(await host.sendEvent('LLM_REQUEST', prompt)).toEqual({
    action: 'modify',
    payload: { ...prompt, messages: [{ role: 'user', content: 'Be brief.' }] }
  })

  const tools = [{ name: 'echo', description: '', parameters: { type: 'object' } }]
  expect(
    await Array.fromAsync(host.complete({ tools, topP: 0.5, messages: [{ role: 'user', content: 'Hi' }] }))
  ).toEqual([
    { type: 'text', text: '1 messages, 0.5' },
    { type: 'tool-call', id: 'a', name: 'echo', chunk: '{}' },
    { type: 'usage', inputTokens: 1, outputTokens: 2 },
    { type: 'finish', reason: 'tool-use' }
  ])
  await expect(Array.fromAsync(host.complete({ model: 'busy' }))).rejects.toThrow('Come back later.')
  await expect(Array.fromAsync(host.complete({ model: 'twice' }))).rejects.toMatchObject({
    reason: 'refused'
  })

  // biome-ignore lint/suspicious/noTemplateCurlyInString: HCL would interpolate it
  const title = 'A ${1} %{if} "q" \\b \b\f\n'
  expect(await host.render('book', { title })).toMatchObject([
    { type: 'text', attributes: { content: title } },
    { children: [{ type: 'stat-group', blocks: [{ labels: ['count'], attributes: { value: 0 } }] }] },
    { name: 'sign', blocks: [{ type: 'field', labels: ['name'] }] }
  ])
  expect(await host.render('plain')).toMatchObject([{ type: 'divider' }])
  await expect(host.render('none')).rejects.toThrow('There is no view “none”.')
  expect(await host.request('POST', '/guests/7', { json: 'Ann' })).toMatchObject({
    status: 200,
    json: { message: '7: Ann' }
  })
  expect(await host.request('POST', '/guests/7', { body: '{' })).toMatchObject({ status: 422 })
  expect(await host.request('GET', '/files/a/b.txt')).toMatchObject({
    body: new TextEncoder().encode('a/b.txt')
  })
  for (const path of ['/guests/7', '/guests', '/guests/7/8', '/files'])
    expect(await host.request('GET', path)).toMatchObject({ status: 404 })
  expect(await Array.fromAsync(host.stream(['hi'], { userEmail: 'ann@example.com' }))).toEqual([
    'hi',
    '{"type":"content","agent":"desk","content":"ann@example.com default"}'
  ])
})

test('a setting with a wrong value fails the registration with its name, but without its value', async () => {
  const needy = plugin({ ...about, settings: { key: { type: 'string', required: true } }, tools: {} })
  for (const [served, settings, message] of [
    [desk(), { limit: 'many' }, '“limit” is not a number'],
    [desk(), { loud: 'yes' }, '“loud” is neither true nor false'],
    [desk(), { unit: 'kelvin' }, '“unit” has an unknown value. Use one of: celsius, fahrenheit'],
    [needy, {}, '“key” has no value']
  ] as const)
    await expect(testPlugin(served, { settings })).rejects.toThrow(message)
  for (const name of ['limit', 'loud', 'unit']) {
    const error = await testPlugin(desk(), { settings: { [name]: 's3cret' } }).catch(String)
    expect(error).toContain(name)
    expect(error).not.toContain('s3cret')
  }
  await (await testPlugin(needy, { settings: { key: 'a' } })).stop()
})

test('the schema of a tool types its arguments, and options can have labels', async () => {
  const typed = plugin({
    ...about,
    settings: {
      region: { type: 'string', options: ['eu', { value: 'us', label: 'America' }], default: 'eu' }
    },
    tools: {
      file: {
        description: 'Files a ticket.',
        parameters: {
          type: 'object',
          properties: {
            due: { type: ['string', 'null'] },
            parent: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
            kind: { const: 'ticket' },
            level: { type: 'integer', enum: [1, 2] },
            steps: { type: 'array', items: { type: 'object', properties: { text: { type: 'string' } } } },
            counts: { type: 'object', additionalProperties: { type: 'number' } },
            extra: { type: 'object' }
          },
          required: ['due', 'parent', 'kind', 'level', 'steps', 'counts']
        },
        run({ due, parent, kind, level, steps, counts, extra }, { settings }) {
          expectTypeOf(due).toEqualTypeOf<string | null>()
          expectTypeOf(parent).toEqualTypeOf<number | null>()
          expectTypeOf(kind).toEqualTypeOf<'ticket'>()
          expectTypeOf(level).toEqualTypeOf<1 | 2>()
          expectTypeOf(steps[0]?.text).toEqualTypeOf<string | undefined>()
          expectTypeOf(counts).toEqualTypeOf<Record<string, number>>()
          expectTypeOf(extra).toEqualTypeOf<Record<string, unknown> | undefined>()
          expectTypeOf(settings.region).toEqualTypeOf<'eu' | 'us'>()
          return settings.region
        }
      }
    }
  })
  await using host = await testPlugin(typed, { settings: { region: 'us' } })
  expect(await host.callTool('file', { steps: [] })).toEqual({ ok: true, result: 'us' })
  const { transport } = await listen(typed)
  const { manifestHcl } = await createClient(Plugin, transport).getManifest({})
  expect(readManifest(manifestHcl).manifest.fields).toMatchObject([{ options: ['eu', 'us'] }])
})

test('a setting that the manifest does not declare is reported', async () => {
  await using host = await testPlugin(desk(), { settings: { limits: 2 } })
  expect(host.skipped).toEqual([{ name: 'manifest', reason: expect.stringContaining('“limits”') }])
})

test('a plugin answers only calls that have its token, also on streams', async () => {
  const { transport } = await listen(desk(), 'the-token')
  const headers = { authorization: 'Bearer the-token' }
  const self = createClient(Plugin, transport)
  const views = createClient(ViewProvider, transport)
  async function* messages() {
    yield { data: new Uint8Array([1]) }
  }
  const refused = { code: Code.Unauthenticated }
  await expect(self.health({})).rejects.toMatchObject(refused)
  await expect(self.health({}, { headers: { authorization: 'Bearer other' } })).rejects.toMatchObject(refused)
  await expect(Array.fromAsync(views.handleStream(messages()))).rejects.toMatchObject(refused)
  expect(await self.health({}, { headers })).toMatchObject({ status: 1 })
  expect(await Array.fromAsync(views.handleStream(messages(), { headers }))).toHaveLength(1)
})

test('a plugin reads the IDs of a call from its metadata, and writes a valid manifest', async () => {
  const { transport } = await listen(desk())
  const headers = {
    'x-waystation-workspace': 'default',
    'x-waystation-session': 's-1',
    'x-waystation-user': 'ann',
    'x-waystation-call': 'c-1'
  }
  const { resultJson } = await createClient(ToolProvider, transport).executeTool(
    { name: 'call' },
    { headers }
  )
  expect(JSON.parse(resultJson).ids).toEqual(['default', 's-1', 'ann', 'c-1', null])
  const { manifestHcl } = await createClient(Plugin, transport).getManifest({})
  expect(readManifest(manifestHcl).manifest).toMatchObject({
    ...about,
    type: 'remote',
    fields: [
      { name: 'unit', type: 'string', options: ['celsius', 'fahrenheit'], default: 'celsius' },
      { name: 'limit', type: 'number', default: '3', required: false },
      { name: 'loud', type: 'bool' }
    ]
  })
})

test('the test host sends the IDs that the server would send, and a test can set each of them', async () => {
  type Ids = Pick<
    CallContext<SettingFields>,
    'workspaceId' | 'sessionId' | 'userId' | 'callId' | 'idempotencyKey'
  >
  const seen: Ids[] = []
  const see = ({ workspaceId, sessionId, userId, callId, idempotencyKey }: Ids) => {
    seen.push({ workspaceId, sessionId, userId, callId, idempotencyKey })
    return undefined
  }
  const curious = plugin({
    ...about,
    settings: { unit: { type: 'string', default: 'celsius' } },
    tools: { look: { description: 'Looks.', run: (_, context) => see(context) } },
    hooks: { TOOL_CALL: (_, context) => see(context), TURN_START: (_, context) => see(context) },
    views: {
      page: {
        label: 'Page',
        render: (_, context) => see(context) ?? [],
        routes: { 'GET /page': (_, context) => see(context) ?? {} }
      }
    },
    async *stream(_, context) {
      see(context)
      yield String(context.userId)
    }
  })
  const call = async (options?: PluginTestOptions, ids?: TestIds) => {
    const host = await testPlugin(curious, options)
    onTestFinished(host.stop)
    expect(await host.callTool('look', {}, ids)).toMatchObject({ ok: true })
    await host.sendEvent('TOOL_CALL', { tool_name: 'look', arguments_json: '{}' }, ids)
    await host.sendEvent('TURN_START', { agent_name: 'a', turn_number: 1 }, ids)
    await host.render('page', {}, ids)
    await host.request('GET', '/page', ids)
    await Array.fromAsync(host.stream([], ids))
    return seen.splice(0)
  }
  const ofView = { workspaceId: 'default', userId: 'person:test', sessionId: undefined, callId: undefined }
  const ofSession = { ...ofView, sessionId: 'test' }
  const usual = await call()
  expect(usual).toMatchObject([
    { ...ofSession, callId: 'call-1', idempotencyKey: 'call-1' },
    { ...ofSession, callId: 'call-2' },
    ofSession,
    ofView,
    ofView,
    ofView
  ])
  expect(new Set(usual.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(6)

  const own = await call(
    { workspaceId: 'acme', sessionId: 's 1', userId: 'subject:ada', settings: { unit: 'kelvin' } },
    { callId: 'c', idempotencyKey: 'k' }
  )
  for (const ids of own)
    expect(ids).toMatchObject({ workspaceId: 'acme', userId: 'subject:ada', idempotencyKey: 'k' })
  expect(own.map(({ sessionId, callId }) => [sessionId, callId])).toEqual([
    ['s 1', 'c'],
    ['s 1', 'c'],
    ['s 1', undefined],
    [undefined, undefined],
    [undefined, undefined],
    [undefined, undefined]
  ])

  const [without] = await call({}, { userId: undefined })
  expect(without, 'a message of an alarm').toMatchObject({ sessionId: 'test', userId: undefined })
})

test('a plugin of two workspaces uses the settings and variables of the workspace that calls it', async () => {
  const { transport } = await listen(desk())
  const self = createClient(Plugin, transport)
  const tools = createClient(ToolProvider, transport)
  const inWorkspace = (id: string) => ({ headers: { 'x-waystation-workspace': id } })
  for (const [id, limit] of [
    ['one', '1'],
    ['two', '2']
  ] as const)
    await self.register({ config: { limit }, envVars: { REGION: id } }, inWorkspace(id))
  const argumentsJson = JSON.stringify({ values: [1, 2] })
  expect(await tools.executeTool({ name: 'sum', argumentsJson }, inWorkspace('one'))).toMatchObject({
    isError: true
  })
  expect(await tools.executeTool({ name: 'sum', argumentsJson }, inWorkspace('two'))).toMatchObject({
    isError: false
  })
  const regionOf = async (id: string) =>
    JSON.parse((await tools.executeTool({ name: 'call' }, inWorkspace(id))).resultJson).region
  expect(await regionOf('one')).toBe('one')
  expect(await regionOf('three'), 'a workspace that has not registered').toBeUndefined()
})

test('a call that is stopped aborts the signal of its handler', async () => {
  const started = Promise.withResolvers<void>()
  const canceled = Promise.withResolvers<void>()
  await using host = await testPlugin(desk({ started: started.resolve, canceled: canceled.resolve }))
  const stop = new AbortController()
  const outcome = host.callTool('wait', {}, { signal: stop.signal })
  await started.promise
  stop.abort()
  expect(await outcome).toMatchObject({ ok: false })
  await canceled.promise
})

test('the signal of a stopped call has a reason with the code CANCELED', async () => {
  const reasons: unknown[] = []
  const started = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>()
  ]
  const wait = async (at: number, signal: AbortSignal) => {
    started[at]?.resolve()
    await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
    reasons[at] = signal.reason
  }
  const slow = plugin({
    ...about,
    tools: { wait: { description: 'Waits.', run: (_, { signal }) => wait(0, signal) } },
    async *model(_, { signal }) {
      await wait(1, signal)
      yield { type: 'finish', reason: 'stop' }
    },
    views: { page: { label: 'Page', render: () => [] } },
    async *stream(_, { signal }) {
      await wait(2, signal)
      yield ''
    }
  })
  await using host = await testPlugin(slow)
  const stop = new AbortController()
  const options = { signal: stop.signal }
  const calls = [
    host.callTool('wait', {}, options),
    Array.fromAsync(host.complete({}, options)),
    Array.fromAsync(host.stream([], options))
  ]
  await Promise.all(started.map(({ promise }) => promise))
  stop.abort(new Error('A user stopped the turn.'))
  await Promise.allSettled(calls)
  await expect.poll(() => reasons).toMatchObject(started.map(() => ({ code: Code.Canceled })))
})

test('a model receives its parameters as they were set, and can report estimated tokens', async () => {
  const parrot = plugin({
    ...about,
    async *model({ temperature, topP, maxTokens }) {
      yield { type: 'text', text: JSON.stringify([temperature, topP, maxTokens]) }
      yield { type: 'usage', inputTokens: 1.6, outputTokens: 2 }
      yield { type: 'finish', reason: 'stop' }
    }
  })
  await using host = await testPlugin(parrot)
  expect(await Array.fromAsync(host.complete({ temperature: 0.3, topP: 0, maxTokens: 7 }))).toMatchObject([
    { text: '[0.3,0,7]' },
    { inputTokens: 2, outputTokens: 2 },
    {}
  ])
  expect(await Array.fromAsync(host.complete({}))).toMatchObject([{ text: '[null,null,null]' }, {}, {}])
})

test('an error that is not a PluginError is UNKNOWN, and its stack is in the log of the plugin', async () => {
  allowErrors(/Out of paper/)
  const broken = plugin({
    ...about,
    // biome-ignore lint/correctness/useYield: it fails first
    async *model() {
      throw new Error('Out of paper.')
    }
  })
  await using host = await testPlugin(broken)
  await expect(Array.fromAsync(host.complete({}))).rejects.toMatchObject({
    reason: 'failed',
    message: /Out of paper/
  })
})

test('the test host starts a program, calls it, and stops it', async () => {
  const cwd = resolve('examples/plugins/guard-typescript')
  const host = await testPlugin(
    { program: process.execPath, args: [join(cwd, 'guard.ts')], cwd },
    { settings: { blocked_tools: 'web-fetch' } }
  )
  expect(host.name).toBe('guard')
  const call = { tool_name: 'web-fetch', arguments_json: '{}' }
  expect(await host.sendEvent('TOOL_CALL', call)).toEqual({ action: 'cancel' })
  await host.stop()
  await expect(host.isHealthy()).rejects.toMatchObject({ reason: 'unavailable' })
  await expect(testPlugin({ program: process.execPath, args: ['-e', '1'], cwd })).rejects.toThrow('exited')
  const args = ['-e', 'console.error("There is no key.")']
  await expect(testPlugin({ program: process.execPath, args, cwd })).rejects.toThrow('There is no key.')
})

test('a program that tests a plugin ends when the test host is stopped', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plugin-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const url = (name: string) => JSON.stringify(`file://${resolve(`packages/plugin/dist/${name}.js`)}`)
  writeFileSync(
    join(folder, 'test.mjs'),
    `import { plugin } from ${url('index')}
    import { testPlugin } from ${url('testing')}
    const model = async function* () { yield { type: 'finish', reason: 'stop' } }
    const stop = new AbortController()
    const run = () => (stop.abort(), new Promise(() => undefined))
    const tools = { hang: { description: 'Hangs.', run } }
    const host = await testPlugin(plugin({ name: 'a', version: '1', description: 'A model.', model, tools }))
    await host.callTool('hang', {}, { signal: stop.signal })
    for await (const { type } of host.complete({})) console.log(type)
    await host.stop()`
  )
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'test.mjs')], {
    timeout: 20_000
  })
  expect(stdout).toBe('finish\n')
})

test('plugin:check presents a client certificate to a plugin with TLS, and accepts an empty view', async () => {
  const authority = makeCertificate('localhost')
  const client = makeCertificate('waystation', authority)
  const tls = { certificate: authority.cert, key: authority.key, clientCa: authority.cert }
  const empty = plugin({ ...about, views: { empty: { label: 'Empty', render: () => [] } } })
  const { address, close } = await empty.listen({ address: 'localhost:0', tls })
  onTestFinished(close)
  const target = `remotes://localhost:${address.split(':').at(-1)}`
  const pin = ['--pin', `sha256 Fingerprint=${new X509Certificate(authority.cert).fingerprint256}`]
  const identity = ['--client-certificate', client.certFile, '--client-key', client.keyFile]
  expect(await checkPlugin(target, '--ca', authority.certFile, ...identity)).toMatchObject({ code: 0 })
  expect(await checkPlugin(target, ...pin, ...identity)).toMatchObject({ code: 0 })
  expect(await checkPlugin(target, ...pin)).toMatchObject({ code: 1 })
})

/** A plugin whose tool runs a conversation, with a server for it. */
async function converser(run: Parameters<typeof servePlatform>[0]['run']) {
  const listen = { host: '127.0.0.1', port: 0 }
  const platform = await servePlatform({ workspaceId: 'default', token: 'right', listen, run })
  onTestFinished(platform.close)
  const env = { PLATFORM_HOST_ADDR: `127.0.0.1:${platform.port}`, PLATFORM_HOST_TOKEN: 'right' }
  const host = await testPlugin(desk(), { env })
  onTestFinished(host.stop)
  return host
}

test('a plugin can run any number of conversations one after another', async () => {
  const host = await converser(async function* () {
    yield { type: 'finish', agent: 'guide' }
  })
  for (let index = 0; index < 20; index++)
    expect(await host.callTool('ask'), `conversation ${index}`).toMatchObject({ ok: true })
})

test('the ninth conversation at a time fails with the reason of the server', async () => {
  const all = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  let running = 0
  const host = await converser(async function* () {
    running += 1
    if (running === 8) all.resolve()
    await end.promise
    yield { type: 'finish', agent: 'guide' }
  })
  const eight = Array.from({ length: 8 }, () => host.callTool('ask'))
  await all.promise
  expect(await host.callTool('ask')).toMatchObject({
    ok: false,
    reason: expect.stringContaining('Limit reached')
  })
  end.resolve()
  for (const outcome of await Promise.all(eight)) expect(outcome).toMatchObject({ ok: true })
})

test('22 A8: a plugin of the package serves TLS, and requires a client certificate of its authority', async () => {
  const [authority, stranger] = [makeCertificate('localhost'), makeCertificate('stranger')]
  const client = makeCertificate('waystation', authority)
  const tls = { certificate: authority.cert, key: authority.key, clientCa: authority.cert }
  const { address, close } = await desk().listen({ address: 'localhost:0', tls })
  onTestFinished(close)
  const pem = (text: string) => `<<END\n${text}END`
  const block = (name: string, { cert, key }: { cert: string; key: string }) => `
    plugin "${name}" {
      source = "remotes://localhost:${address.split(':').at(-1)}"
      ca = ${pem(authority.cert)}
      client_certificate = ${pem(cert)}
      client_key = ${pem(key)}
    }`
  const server = await startTestServer({
    settings: {
      WAYSTATION_EGRESS_ALLOW: 'localhost',
      WAYSTATION_WORKSPACES: workspaceFolder(block('desk', client) + block('stranger', stranger))
    }
  })
  await server.ctx.ports.plugins?.ready('default', 20_000)
  const state = (name: string) =>
    server.ctx.ports.plugins?.list('default').find(plugin => plugin.name === name)?.state.kind
  expect([state('desk'), state('stranger')]).toEqual(['serving', 'restarting'])
})

test('003-1, 003-16, 003-17: a plugin of the package passes plugin:check and works in a workspace', async () => {
  const { address } = await listen(desk())
  expect(await checkPlugin(`remote://${address}`, '--model', 'm')).toMatchObject({ code: 0 })
  const server = await startTestServer({
    script: [
      replyCalls({ name: 'sum', input: { values: [1, 2] } }),
      replyText('Three.'),
      replyCalls({ name: 'ask', input: {} }),
      replyText('I am the reception.'),
      replyText('The reception.')
    ],
    settings: {
      WAYSTATION_EGRESS_ALLOW: '127.0.0.1',
      WAYSTATION_WORKSPACES: workspaceFolder(`
        plugin "desk" { source = "remote://${address}" }
        default_agent = "reception"
        agent "reception" { instructions = "You are the reception." }`)
    }
  })
  await server.ctx.ports.plugins?.ready('default', 20_000)
  await server.saveAgent({ chat: { tools: [{ plugin: 'desk', approval: 'auto' }] } })
  const session = await server.startSession('test')
  await session.runTurn('Add one and two.')
  const [first, second] = server.model.requests.map(({ body }) => JSON.stringify(body.messages))
  expect(first).toContain('Be brief.')
  expect(second).toContain('\\"sum\\":3')
  await session.runTurn('Who is the default agent?')
  const last = JSON.stringify(server.model.requests.at(-1)?.body.messages)
  expect(last).toContain('\\"type\\":\\"finish\\",\\"agent\\":\\"reception\\"')
})

test('the payload types of the package are those that the server sends', () => {
  expectTypeOf<{ [Type in LifecycleType]: LifecyclePayload<Type> }>().toExtend<HookPayloads>()
})
