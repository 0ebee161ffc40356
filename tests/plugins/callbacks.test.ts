import { Code, ConnectError, createClient } from '@connectrpc/connect'
import { createGrpcTransport } from '@connectrpc/connect-node'
import type { Conversation } from '@waystation/plugin-host/contract.ts'
import { PlatformHost } from '@waystation/plugin-host/generated/platform_pb.ts'
import { openPlatform } from '@waystation/plugin-host/open-platform.ts'
import { expect, onTestFinished, test } from 'vitest'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { listSessions } from '#lib/sessions/list-sessions.ts'
import { type Reply, replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { serveTestPlugin } from '#tests/support/fakes/plugins/serve-test-plugin.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

const agents = `
  default_agent = "reception"
  agent "billing" {
    instructions = "You are billing."
  }
  agent "reception" {
    instructions = "You are the reception."
    tools        = ["echo", "ask-question"]
    handoffs     = ["billing"]
  }`

/**
 * Starts a remote plugin, and a client that calls the platform with the address and token that the plugin received.
 */
async function caller(script: Reply[], inWorkspace = agents) {
  const plugin = await serveTestPlugin()
  const folder = workspaceFolder(`
      plugin "twin" { source = "remote://127.0.0.1:${plugin.port}" }
      ${inWorkspace}
  `)
  const server = await startTestServer({
    script,
    settings: { WAYSTATION_EGRESS_ALLOW: '127.0.0.1', WAYSTATION_WORKSPACES: folder }
  })
  await server.ctx.ports.plugins?.ready('default', 20_000)
  const { PLATFORM_HOST_ADDR: address, PLATFORM_HOST_TOKEN: token } = plugin.registered[0]?.envVars ?? {}
  const client = createClient(PlatformHost, createGrpcTransport({ baseUrl: `http://${address}` }))
  const headers = { authorization: `Bearer ${token}` }
  type Input = { input: string; history?: { role: string; content: string }[]; workspaceId?: string }
  const converse = (input: Input, signal?: AbortSignal, withHeaders: Record<string, string> = headers) =>
    client.runConversation(
      { workspaceId: 'default', history: [], ...input },
      { headers: withHeaders, ...(signal ? { signal } : {}) }
    )
  return { ...server, plugin, converse }
}

async function all<T>(events: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const event of events) collected.push(event)
  return collected
}

/** Finds the session that the plugin started. */
const receptionSession = async (ctx: Ctx) =>
  (await listSessions(ctx, { limit: 10 })).sessions.find(({ agentId }) => agentId === 'reception')

const textOf = (events: { type: string; content?: string | undefined }[]) =>
  events.map(event => (event.type === 'content' ? event.content : '')).join('')

test('003-17: a plugin that calls back talks to the default agent of the workspace, which knows the earlier messages', async () => {
  const { converse, model, ctx } = await caller([replyText('Hello again.')])
  const events = await all(
    converse({
      input: 'Me again.',
      history: [
        { role: 'user', content: 'I am Ann.' },
        { role: 'assistant', content: 'Hello, Ann.' }
      ]
    })
  )
  expect(textOf(events)).toBe('Hello again.')
  expect(events.at(-1)).toMatchObject({ type: 'finish', agent: 'reception' })
  expect(
    model.requests[0]?.body.messages.map(({ role, content }) => [role, JSON.stringify(content)])
  ).toEqual([
    ['system', expect.stringContaining('You are the reception.')],
    ['user', expect.stringContaining('I am Ann.')],
    ['assistant', expect.stringContaining('Hello, Ann.')],
    ['user', expect.stringContaining('Me again.')]
  ])
  // It is a normal session, visible to users.
  expect(await receptionSession(ctx)).toMatchObject({ status: 'idle', title: 'Me again.' })
})

test('003-17, 003-11: the plugin receives calls, which need approval as usual, their results and handoffs', async () => {
  const { converse, ctx, reopenSession } = await caller([
    replyCalls({ name: 'echo', input: { text: 'hi' } }),
    replyCalls({ name: 'handoff_to_billing', input: {} }),
    replyText('Billing here.')
  ])
  const received = all(converse({ input: 'Go.' }))
  await expect.poll(() => receptionSession(ctx)).toBeDefined()
  const session = await reopenSession((await receptionSession(ctx))?.id ?? '')
  const call = await session.waitForCall('echo')
  await session.answer(call, { approved: true })
  expect((await received).filter(({ type }) => type !== 'content')).toMatchObject([
    { type: 'tool_call', agent: 'reception', tool: 'echo', args: '{"text":"hi"}' },
    { type: 'tool_result', agent: 'reception', tool: 'echo', result: '{"text":"hi"}', isError: false },
    { type: 'handoff', agent: 'reception', target: 'billing' },
    { type: 'finish', agent: 'billing' }
  ])
  expect(textOf(await received)).toBe('Billing here.')
})

test('003-17: a plugin that disconnects stops its conversation and cancels its pending calls', async () => {
  const { converse, ctx, reopenSession } = await caller([replyCalls({ name: 'echo', input: { text: 'hi' } })])
  const controller = new AbortController()
  const received = all(converse({ input: 'Go.' }, controller.signal))
  await expect.poll(() => receptionSession(ctx)).toBeDefined()
  const session = await reopenSession((await receptionSession(ctx))?.id ?? '')
  const call = await session.waitForCall('echo')
  controller.abort()
  await expect(received).rejects.toThrow(ConnectError)
  expect(await session.waitForSettled(call)).toMatchObject({ state: 'cancelled' })
})

test('003-17: a foreign token and another workspace are rejected, and a workspace without agents returns an error', async () => {
  const { converse } = await caller([], '')
  await expect(
    all(converse({ input: 'Hi' }, undefined, { authorization: 'Bearer wrong' }))
  ).rejects.toMatchObject({
    code: Code.Unauthenticated
  })
  await expect(all(converse({ input: 'Hi', workspaceId: 'other' }))).rejects.toMatchObject({
    code: Code.PermissionDenied
  })
  expect(await all(converse({ input: 'Hi' }))).toMatchObject([
    { type: 'error', errorMessage: expect.stringContaining('default_agent') }
  ])
})

test('22 A8: a plugin on the same machine as the server is rejected without its token', async () => {
  const { converse } = await caller([])
  await expect(all(converse({ input: 'Hi' }, undefined, {}))).rejects.toMatchObject({
    code: Code.Unauthenticated
  })
})

test('22 A8: a local plugin is rejected without its token', async () => {
  const conversations: Conversation[] = []
  const platform = await openPlatform({
    workspaceId: 'default',
    source: { kind: 'local', command: 'plugin', args: [], cwd: '/' },
    place: undefined,
    async *run(conversation) {
      conversations.push(conversation)
      yield { type: 'finish', agent: 'a' }
    }
  })
  onTestFinished(() => platform?.close())
  const transport = createGrpcTransport({ baseUrl: `http://${platform?.address}` })
  const converse = (headers: Record<string, string>) =>
    all(
      createClient(PlatformHost, transport).runConversation(
        { workspaceId: 'default', input: 'Hi', history: [] },
        { headers }
      )
    )
  await expect(converse({})).rejects.toMatchObject({ code: Code.Unauthenticated })
  expect(conversations).toEqual([])
  const [end] = await converse({ authorization: `Bearer ${platform?.token}` })
  expect(end).toMatchObject({ type: 'finish' })
})

test('003-17: if the model fails, the plugin receives a readable error', async () => {
  const { converse } = await caller([
    { kind: 'status', status: 401, body: { error: { message: 'No such key.' } } }
  ])
  const events = await all(converse({ input: 'Hi' }))
  expect(events.at(-1)).toMatchObject({ type: 'error', errorMessage: expect.stringMatching(/\w+/) })
})
