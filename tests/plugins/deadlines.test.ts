import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Code, ConnectError } from '@connectrpc/connect'
import { explain } from '@waystation/plugin-host/explain.ts'
import { LifecycleHook } from '@waystation/plugin-host/generated/lifecycle_pb.ts'
import { FinishReason, LLMProvider } from '@waystation/plugin-host/generated/llm_pb.ts'
import { Plugin } from '@waystation/plugin-host/generated/plugin_pb.ts'
import { ToolProvider } from '@waystation/plugin-host/generated/tool_pb.ts'
import { ViewProvider } from '@waystation/plugin-host/generated/view_pb.ts'
import { toolDefaults } from '@waystation/protocol/call/tool-settings.ts'
import type { PluginStatus } from '@waystation/protocol/plugin/plugin.ts'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { pluginRoute } from '#lib/api/plugin-route.ts'
import { updateWorkspace } from '#lib/auth/workspaces/update-workspace.ts'
import { addedPluginOperations, hostedPluginOperations } from '#lib/http/operations/hosted-plugins.ts'
import { pluginViewOperations } from '#lib/http/operations/plugin-views.ts'
import { forwardRoute } from '#lib/plugins/views/forward-route.ts'
import { type Reply, replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { serveTestPlugin } from '#tests/support/fakes/plugins/serve-test-plugin.ts'
import type { TestPlugin, TestPluginOptions } from '#tests/support/fakes/plugins/start-test-plugin.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { holdTimeouts } from '#tests/support/servers/hold-timeouts.ts'
import type { ManualClock } from '#tests/support/servers/manual-clock.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

/** A call in the table of deadlines. `ms` is NaN if the call has no deadline. */
type Row = { call: string; deadline: string; ms: number; notes: string }

const page = readFileSync('docs/plugins-grpc.md', 'utf8')
const [, section = ''] = page.split('### Deadlines\n')
const rows: Row[] = [...(section.split('\n#')[0] ?? '').matchAll(/^\| (`.+?) \| (.+?) \|(.*)\|$/gm)].flatMap(
  ([, calls = '', deadline = '', notes = '']) =>
    [...calls.matchAll(/`(\w+)`/g)].map(([, call = '']) => ({ call, deadline, ms: msOf(deadline), notes }))
)

/** Returns the first duration in a text, in milliseconds. */
function msOf(text: string): number {
  const [, count, unit] = /(\d+) (s|min)\b/.exec(text) ?? []
  return Number(count) * (unit === 'min' ? 60_000 : 1_000)
}

/** Returns the first duration after these words of the notes, in milliseconds. */
const msAfter = (notes: string, words: string) => msOf(notes.slice(notes.indexOf(words)))

/** Starts a server with this plugin. The test decides when the server's timeouts pass. */
async function start(options: TestPluginOptions = {}, script?: Reply[]) {
  const clock = holdTimeouts()
  const plugin = await serveTestPlugin(options)
  const server = await startTestServer({
    ...(script && { script }),
    settings: {
      WAYSTATION_EGRESS_ALLOW: '127.0.0.1',
      WAYSTATION_WORKSPACES: workspaceFolder(`plugin "twin" { source = "remote://127.0.0.1:${plugin.port}" }`)
    }
  })
  return { ...server, clock, plugin }
}

/** As `start`, and waits until the plugin serves. */
async function startServing(...[options, script]: Parameters<typeof start>) {
  const started = await start(options, script)
  await started.ctx.ports.plugins?.ready('default', 20_000)
  return started
}

async function stateOf(name = 'twin') {
  const { body } = await callEndpoint(hostedPluginOperations.list)
  return (body as { plugins: PluginStatus[] }).plugins.find(plugin => plugin.name === name)?.state
}

/**
 * Lets the deadline of the plugin's newest call pass, and checks that the plugin sees the call as canceled then, and not
 * `slackMs` earlier.
 */
async function passDeadline(
  { clock, plugin }: { clock: ManualClock; plugin: TestPlugin },
  method: string,
  ms: number,
  slackMs = 1
): Promise<void> {
  const open = () => plugin.arrived.filter(call => call.method === method).at(-1)
  await expect.poll(open, { message: method }).toMatchObject({ canceled: false })
  clock.advance(ms - slackMs)
  // A call that ends now would end during this request.
  await stateOf()
  expect(open()?.canceled, `${method} is still open after ${ms - slackMs} ms`).toBe(false)
  clock.advance(slackMs)
  await expect.poll(() => open()?.canceled, { message: `${method} ended after ${ms} ms` }).toBe(true)
}

/** The plugin is not used, and the server tries again. */
async function startsLater({ call, ms }: Row) {
  const started = await start({ silent: [call], views: [{ name: 'board' }] })
  await passDeadline(started, call, ms)
  await expect.poll(() => stateOf()).toMatchObject({ kind: 'restarting', why: expect.any(String) })
}

const board = { name: 'board', routes: [{ method: 'GET', path: '/tasks' }] }
const view = { workspaceId: 'default', plugin: 'twin' }
/** The response to a request whose plugin did not answer in time. */
const late = {
  status: 503,
  body: { code: 'UNAVAILABLE', error: explain(new ConnectError('', Code.DeadlineExceeded)).message }
}

/** The documented result if the plugin never answers, by call. */
const checks: Record<string, (row: Row) => Promise<void>> = {
  GetManifest: startsLater,
  Register: startsLater,
  ListTools: startsLater,
  ListViews: startsLater,

  async Health({ ms, notes }) {
    const started = await startServing({ silent: ['Health'] })
    for (const misses of [1, 2, 3]) {
      started.clock.advance(msAfter(notes, 'every'))
      await expect
        .poll(() => started.plugin.arrived.filter(({ method }) => method === 'Health'))
        .toHaveLength(misses)
      await passDeadline(started, 'Health', ms)
      await expect.poll(() => stateOf()).toMatchObject({ kind: misses < 3 ? 'unhealthy' : 'restarting' })
    }
  },

  async RenderView({ ms }) {
    const started = await startServing({ views: [board], silent: ['RenderView'] })
    const rendered = callEndpoint(pluginViewOperations.render, { params: { ...view, view: 'board' } })
    await passDeadline(started, 'RenderView', ms)
    expect(await rendered).toMatchObject(late)
  },

  async HandleRoute({ ms }) {
    const started = await startServing({ views: [board], silent: ['HandleRoute'] })
    const url = 'http://localhost:3000/api/v1/workspaces/default/views/twin/routes/tasks'
    const headers = { authorization: 'Bearer the-admin-key-of-every-test' }
    const routed = pluginRoute(forwardRoute)(new Request(url, { headers }), view)
    await passDeadline(started, 'HandleRoute', ms)
    const response = await routed
    expect({ status: response.status, body: await response.json() }).toMatchObject(late)
  },

  async HandleStream() {
    const { clock, plugin } = await startServing({ views: [board] })
    const socket = new WebSocket(
      `${(await serveApi()).replace('http', 'ws')}/api/v1/workspaces/default/views/twin/stream`,
      { headers: { authorization: 'Bearer the-admin-key-of-every-test' } }
    )
    onTestFinished(() => socket.terminate())
    await once(socket, 'open')
    const received: string[] = []
    socket.on('message', data => received.push(String(data)))
    socket.send('before')
    await expect.poll(() => received).toContain('before')
    clock.advance(86_400_000)
    socket.send('after')
    await expect.poll(() => received).toContain('after')
    expect(plugin.arrived.filter(({ method }) => method === 'HandleStream')).toMatchObject([
      { canceled: false }
    ])
  },

  async OnEvent({ ms }) {
    const started = await startServing(
      { silent: ['OnEvent'], hook: () => undefined, metadata: { lifecycle_events: 'TURN_START' } },
      [replyText('On.')]
    )
    await started.saveAgent({})
    const session = await started.startSession('test')
    await session.send('Go.')
    await passDeadline(started, 'OnEvent', ms)
    expect(await session.waitForEnd()).toMatchObject({ outcome: 'done' })
    expect(await session.agentTexts()).toEqual(['On.'])
    const { messages } = await session.get()
    expect(messages.flatMap(({ parts }) => parts)).toContainEqual(
      expect.objectContaining({ type: 'data-hook', data: expect.objectContaining({ outcome: 'failed' }) })
    )
  },

  async ExecuteTool({ ms }) {
    const tool = { plugin: 'twin', approval: 'auto' as const }
    const cases = [
      { ms, agent: 'usual' },
      { ms: 90_000, agent: 'usual', workspace: 90 },
      { ms: 20_000, agent: 'hurried', workspace: 90 },
      // The time of the step, which passes in the database while the call starts.
      { ms: toolDefaults.batchTimeoutSeconds * 1000, agent: 'usual', workspace: 200, slackMs: 5_000 }
    ]
    const started = await startServing(
      { silent: ['ExecuteTool'] },
      cases.flatMap(() => [replyCalls({ name: 'echo', input: {} }), replyText('Done.')])
    )
    await started.saveAgent({ agentId: 'usual', chat: { tools: [tool] } })
    await started.saveAgent({ agentId: 'hurried', chat: { tools: [{ ...tool, timeoutSeconds: 20 }] } })
    for (const { ms, agent, workspace, slackMs } of cases) {
      await updateWorkspace(started.ctx, { toolSettings: workspace ? { timeoutSeconds: workspace } : {} })
      const session = await started.startSession(agent)
      await session.send('Go.')
      const open = () => started.plugin.arrived.filter(({ method }) => method === 'ExecuteTool').at(-1)
      await passDeadline(started, 'ExecuteTool', ms, slackMs)
      // The plugin can pass its deadline on. Time that passed before the call is missing.
      expect(open()?.deadlineMs, 'the deadline that the plugin sees').toBeLessThanOrEqual(ms)
      expect(open()?.deadlineMs).toBeGreaterThan(ms - (slackMs ?? 1_000))
      expect(await session.waitForEnd()).toMatchObject({ outcome: 'done' })
      expect((await session.get()).calls).toMatchObject([
        { state: 'failed', errorText: expect.stringContaining(` ${ms / 1000} s`) }
      ])
      expect(JSON.stringify(started.model.requests.at(-1)?.body.messages)).toContain(` ${ms / 1000} s`)
    }
    expect(started.plugin.arrived.filter(({ method }) => method === 'ExecuteTool')).toHaveLength(cases.length)
  },

  async Complete({ ms, notes }) {
    const silence = msAfter(notes, 'At most')
    let requests = 0
    let sendPiece = () => {}
    const started = await startServing({
      async *complete() {
        requests += 1
        // The first answer never starts, the second one never ends.
        for (; requests < 3; ) {
          await new Promise<void>(resolve => {
            sendPiece = resolve
          })
          yield { event: { case: 'delta', value: { content: 'more ' } } }
        }
        yield { event: { case: 'finish', value: { reason: FinishReason.STOP } } }
      }
    })
    await started.saveAgent({
      chat: {
        model: 'plugin:twin/small',
        toolSettings: { retry: { maxAttempts: 3, initialDelaySeconds: 0, maxDelaySeconds: 0 } }
      }
    })
    const session = await started.startSession('test')
    await session.send('Go.')
    await passDeadline(started, 'Complete', silence)
    await expect.poll(() => requests).toBe(2)
    let left = ms
    for (; left > silence; left -= silence - 1) {
      sendPiece()
      await expect.poll(() => started.clock.waits()).toContain(silence)
      started.clock.advance(silence - 1)
    }
    sendPiece()
    await expect.poll(() => started.clock.waits()).toContain(silence)
    await passDeadline(started, 'Complete', left)
    expect(await session.waitForEnd()).toMatchObject({ outcome: 'done' })
    expect(requests).toBe(3)
  }
}

test('the table of deadlines has each call to a plugin once', () => {
  const services = [Plugin, ToolProvider, LLMProvider, LifecycleHook, ViewProvider]
  const calls = services.flatMap(({ methods }) => methods.map(({ name }) => name))
  expect(rows.map(({ call }) => call).toSorted()).toEqual(calls.toSorted())
})

test.each(rows)(
  'the documented deadline of $call ($deadline) ends it with the documented result',
  async row => {
    const check = checks[row.call]
    if (check === undefined) throw new Error(`No test shows the deadline of ${row.call}.`)
    await check(row)
  }
)

test('003-3: reading the manifest of a plugin to add ends after the documented time', async () => {
  const [, limit = ''] = /When you read the manifest, .* within ([^.]+)\./.exec(page) ?? []
  const clock = holdTimeouts()
  const plugin = await serveTestPlugin({ silent: ['ListTools'] })
  await startTestServer({ settings: { WAYSTATION_EGRESS_ALLOW: '127.0.0.1' } })
  const source = `remote://127.0.0.1:${plugin.port}`
  const inspected = callEndpoint(addedPluginOperations.inspect, { body: { source } })
  await passDeadline({ clock, plugin }, 'ListTools', msOf(limit))
  expect(await inspected).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
})
