import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { agentFor, agentIfAny } from '#lib/agents/agent-for.ts'
import { deleteWorkspace } from '#lib/auth/workspaces/delete-workspace.ts'
import { deleteWorkspaces } from '#lib/features/data/delete-workspaces.ts'
import { forwardRoute } from '#lib/plugins/views/forward-route.ts'
import { openStream } from '#lib/plugins/views/open-stream.ts'
import { renderView } from '#lib/plugins/views/views.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { python, pythonProtos, withPython } from '#tests/support/fakes/plugins/python.ts'
import { serveTestPlugin } from '#tests/support/fakes/plugins/serve-test-plugin.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const protos = pythonProtos()

/** Creates a folder of files that is deleted after the test. */
function folderOf(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'workspaces-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  for (const [name, text] of Object.entries(files)) write(name, text)
  return { folder, write }
}

const allowed = { WAYSTATION_EGRESS_ALLOW: '127.0.0.1' }

const withTwin = (port: number, instructions = 'Say it again.') => `
  workspace "default" {
    plugin "twin" {
      source = "remote://127.0.0.1:${port}"
      config { unit = "metric" }
    }
    agent "parrot" {
      instructions = "${instructions}"
      tools        = ["echo", "ask-question"]
      handoffs     = ["guide2"]
    }
    agent "guide2" {}
  }`

test('003-9, 003-18: a workspace from a file works: its plugin gives its agents tools, which need approval as usual', async () => {
  const plugin = await serveTestPlugin()
  const { folder } = folderOf({ 'default.hcl': withTwin(plugin.port) })
  const { ctx, startSession } = await startTestServer({
    settings: { ...allowed, WAYSTATION_WORKSPACES: folder }
  })
  expect(await agentFor(ctx, 'parrot')).toMatchObject({
    chat: {
      instructions: 'Say it again.',
      tools: [{ name: 'ask-question' }, { plugin: '*', tools: ['echo'] }],
      handoffs: ['guide2']
    }
  })
  expect(plugin.registered).toMatchObject([{ config: { unit: 'metric' } }])
  const parrot = await startSession('parrot')
  expect(await parrot.runTurn('use echo {"text":"hello"}')).toMatchObject({ outcome: 'parked' })
  const call = await parrot.waitForCall('echo')
  expect(call).toMatchObject({ kind: 'approval', where: 'server', title: 'twin: echo' })
  const done = parrot.waitForEnd()
  await parrot.answer(call, { approved: true })
  await done
  expect((await parrot.get()).calls.at(-1)).toMatchObject({ state: 'approved', output: { text: 'hello' } })
  // A tool of a stopped plugin fails, and the model receives the error.
  await plugin.stop()
  await parrot.runTurn('use echo {"text":"again"}')
  const secondCall = await parrot.waitForCall('echo')
  const failed = parrot.waitForEnd()
  await parrot.answer(secondCall, { approved: true })
  await failed
  expect((await parrot.get()).calls.at(-1)).toMatchObject({
    state: 'failed',
    errorText: expect.stringMatching(/^twin: .*unavailable/i)
  })
})

test('003-9: if two plugins have the same tool, the second one is called with the name of its plugin', async () => {
  const tools = [{ name: 'echo', description: 'Says it again.', parametersJsonSchema: '' }]
  const [first, second] = [await serveTestPlugin({ tools }), await serveTestPlugin({ tools, name: 'other' })]
  const { folder } = folderOf({
    'default.hcl': `workspace "default" {
      plugin "twin" { source = "remote://127.0.0.1:${first.port}" }
      plugin "other" { source = "remote://127.0.0.1:${second.port}" }
      agent "parrot" { tools = ["echo"] }
    }`
  })
  const { startSession } = await startTestServer({ settings: { ...allowed, WAYSTATION_WORKSPACES: folder } })
  const parrot = await startSession('parrot')
  await parrot.runTurn('use other__echo {"text":"hello"}')
  expect(await parrot.waitForCall('other__echo')).toMatchObject({ title: 'other: echo' })
})

test('003-18: an invalid file prevents the server from starting, and the error has its line and column', async () => {
  const { folder } = folderOf({
    'default.hcl': 'workspace "default" {\n  plugin "x" {\n    sorce = "remote://a:1"\n  }\n}\n'
  })
  await expect(startTestServer({ settings: { WAYSTATION_WORKSPACES: folder } })).rejects.toThrow(
    /WAYSTATION_WORKSPACES: default\.hcl:3:5: .*did you mean "source"/
  )
  const twice = folderOf({ 'a.hcl': 'workspace "default" {}\n', 'b.hcl': 'workspace "default" {}\n' })
  await expect(startTestServer({ settings: { WAYSTATION_WORKSPACES: twice.folder } })).rejects.toThrow(
    /a\.hcl.*b\.hcl/
  )
})

test('003-18: a file creates its workspace, which belongs to the owners of the default one and is deleted only without the file', async () => {
  const { folder, write } = folderOf({ 'default.hcl': 'workspace "default" { }' })
  const server = await startTestServer({ settings: { WAYSTATION_WORKSPACES: folder } })
  const { sql, ctx } = server
  for (const [id, role] of Object.entries({ ada: 'owner', ben: 'editor' })) {
    await sql`insert into users (id, name) values (${id}, ${id})`
    await sql`insert into members (workspace_id, user_id, role) values ('default', ${id}, ${role})`
  }
  write('desk.hcl', 'workspace "help-desk" {\n  agent "clerk" { description = "Helps." }\n}')
  const inDesk = { ...ctx, workspaceId: 'help-desk', actor: { ...ctx.actor, workspaceId: 'help-desk' } }
  await expect
    .poll(() => agentFor(inDesk, 'clerk').catch(() => null), { timeout: 15_000 })
    .toMatchObject({
      description: 'Helps.'
    })
  expect(await sql`select user_id, role from members where workspace_id = 'help-desk'`).toEqual([
    { userId: 'ada', role: 'owner' }
  ])
  await expect(deleteWorkspace(inDesk, { name: 'help-desk' })).rejects.toMatchObject({ code: 'CONFLICT' })
  write('desk.hcl', '')
  const removed = () => deleteWorkspace(inDesk, { name: 'help-desk' }).catch(error => error.code)
  await expect.poll(removed, { timeout: 15_000 }).toEqual({ id: 'help-desk' })
  await deleteWorkspaces(ctx)
  // A file that names it again creates an empty one.
  write('desk.hcl', 'workspace "help-desk" { }')
  await expect
    .poll(() => sql`select from workspaces where id = 'help-desk'`, { timeout: 15_000 })
    .toHaveLength(1)
  expect(await sql`select from agents where workspace_id = 'help-desk'`).toEqual([])
})

test('003-18: a changed file is read again, and an invalid change has no effect', async () => {
  const plugin = await serveTestPlugin()
  const { folder, write } = folderOf({ 'default.hcl': withTwin(plugin.port) })
  const { ctx } = await startTestServer({ settings: { ...allowed, WAYSTATION_WORKSPACES: folder } })
  const instructions = async () => {
    const agent = await agentFor(ctx, 'parrot')
    return agent.type === 'chat' ? agent.chat.instructions : undefined
  }
  write('default.hcl', 'workspace "default" {')
  write('default.hcl', withTwin(plugin.port, 'Say it twice.'))
  await expect.poll(instructions, { timeout: 20_000 }).toBe('Say it twice.')
  expect((await agentFor(ctx, 'parrot')).revision).toBe(2)
  // The plugin is the same and keeps running.
  expect(plugin.registered).toHaveLength(1)
  expect(ctx.ports.plugins?.list('default')).toMatchObject([
    { name: 'twin', state: { kind: 'serving' }, restarts: 0 }
  ])
  write('default.hcl', 'workspace "default" {}\n')
  await expect.poll(() => ctx.ports.plugins?.list('default'), { timeout: 20_000 }).toEqual([])
})

test('003-18: if an agent of a changed file cannot be saved, the plugins stay as they are', async () => {
  allowErrors(/workspace files are invalid/)
  const plugin = await serveTestPlugin()
  const { folder, write } = folderOf({ 'default.hcl': withTwin(plugin.port) })
  const { ctx } = await startTestServer({ settings: { ...allowed, WAYSTATION_WORKSPACES: folder } })
  await ctx.ports.plugins?.ready('default', 20_000)
  const skill = { '@ag.embed': { '@ag.references': { agent: { slug: 'nobody' } } } }
  const unusable = `agent "gardener" { settings = ${JSON.stringify({ skills: [skill] })} }`
  write('default.hcl', `workspace "default" {\n agent "first" {}\n ${unusable}\n}`)
  await expect.poll(() => agentIfAny(ctx, 'first'), { timeout: 20_000 }).toBeDefined()
  expect(ctx.ports.plugins?.list('default')).toMatchObject([{ name: 'twin' }])
  write('default.hcl', 'workspace "default" {\n agent "second" {}\n}')
  await expect.poll(() => agentIfAny(ctx, 'second'), { timeout: 20_000 }).toBeDefined()
  await expect.poll(() => ctx.ports.plugins?.list('default'), { timeout: 20_000 }).toEqual([])
})

test('003-18: a program outside the folder of local plugins is not started, and without such a folder no program is', async () => {
  const { folder } = folderOf({
    'default.hcl': 'workspace "default" {\n  plugin "sh" {\n    source = "local://sh"\n  }\n}\n'
  })
  const states = async (settings: Record<string, string>) =>
    (
      await startTestServer({ settings: { WAYSTATION_WORKSPACES: folder, ...settings } })
    ).ctx.ports.plugins?.list('default')
  expect(await states({})).toMatchObject([
    { state: { kind: 'failed', why: expect.stringContaining('WAYSTATION_PLUGIN_FOLDER') } }
  ])
  const { folder: programs } = folderOf({})
  symlinkSync('/bin/sh', join(programs, 'sh'))
  expect(await states({ WAYSTATION_PLUGIN_FOLDER: programs })).toMatchObject([
    { state: { kind: 'failed', why: expect.stringContaining('“sh”') } }
  ])
})

/** Starts a session whose agent uses the model and tool of the Python test plugin. */
async function startSnake(model: string) {
  const { folder: programs } = folderOf({})
  mkdirSync(join(programs, 'probe'))
  const program = join(programs, 'probe', 'plugin')
  writeFileSync(
    program,
    `#!/bin/sh\nexec ${python} ${join(process.cwd(), 'tests/support/fakes/plugins/plugin.py')} "$@"\n`
  )
  chmodSync(program, 0o755)
  const { folder } = folderOf({
    'default.hcl': `workspace "default" {
      env {
        PYTHONPATH = "${protos}"
      }
      plugin "probe" {
        source = "local://probe"
        config { unit = "metric" }
      }
      agent "snake" {
        model = "${model}"
        tools = ["echo"]
      }
      agent "talker" { model = "demo/demo" }
      default_agent = "talker"
    }`
  })
  const server = await startTestServer({
    settings: { WAYSTATION_WORKSPACES: folder, WAYSTATION_PLUGIN_FOLDER: programs }
  })
  return { ...server, snake: await server.startSession('snake') }
}

withPython.describe('a plugin in Python, as a program of this machine', () => {
  test('003-9, 003-10, 003-11, 003-15: gives an agent a model, a tool and hooks that change the calls of the model', async () => {
    const { snake } = await startSnake('plugin:probe/m')
    expect(await snake.runTurn('Hello')).toMatchObject({ outcome: 'parked' })
    const [text = '{}'] = await snake.agentTexts()
    expect(JSON.parse(text)).toMatchObject({ roles: expect.arrayContaining(['user']), tools: ['echo'] })
    const call = await snake.waitForCall('echo')
    // The model called it with {"text": "hi"}, and the hook changed the arguments.
    expect(call.input).toEqual({ changed: true })
    const done = snake.waitForEnd()
    await snake.answer(call, { approved: true })
    await done
    // The model repeats the call with the same ID. It is a separate call and knows the result of the first.
    const { calls, messages } = await snake.get()
    expect(calls).toMatchObject([{ state: 'approved' }, { state: 'open', input: { changed: true } }])
    expect(JSON.stringify(messages)).toContain(`\\"result_of\\": [\\"${call.toolCallId}\\"]`)
  })

  test('003-12, 003-13, 003-14, 003-17: renders a view, answers its requests, relays a stream and calls back', async () => {
    const { ctx } = await startSnake('plugin:probe/m')
    await ctx.ports.plugins?.ready('default', 20_000)
    const pluginParams = { workspaceId: 'default', plugin: 'probe' }
    const view = await renderView(ctx, { ...pluginParams, view: 'tasks', params: { tab: 'open' } })
    expect(view.components).toMatchObject([{ type: 'text', attributes: { content: 'default open' } }])

    const timeout = AbortSignal.timeout(20_000)
    const request = { method: 'GET', path: '/api/tasks', body: Buffer.from([0, 255]), query: { q: 'a' } }
    const response = await forwardRoute(
      ctx,
      pluginParams,
      { ...request, headers: { 'x-sent': 'b' } },
      timeout
    )
    expect(response).toMatchObject({
      status: 201,
      headers: { 'x-method': 'GET', 'x-query': 'a', 'x-sent': 'b' }
    })
    expect([...response.body]).toEqual([0, 255])

    async function* messages() {
      for (const word of ['one', 'two', 'stop']) yield Buffer.from(word)
    }
    const stream = await openStream(ctx, pluginParams)
    const received = (await Array.fromAsync(stream(messages(), timeout))).map(data =>
      Buffer.from(data).toString()
    )
    expect(JSON.parse(received[0] ?? '')).toMatchObject({ workspace_id: 'default', user_id: 'key:Ann' })
    expect(received.slice(1)).toEqual(['one', 'two'])

    const [plugin] = ctx.ports.plugins?.of('default') ?? []
    const talk = { workspace: 'default', input: 'say Hello there.' }
    const result = await plugin?.callTool('converse', talk, { signal: timeout })
    expect(result).toMatchObject({ ok: true })
    const events = (result as { result: string[][] }).result
    expect(events.map(([, , content]) => content).join('')).toContain('Hello there.')
    expect(events.at(-1)).toEqual(['finish', 'talker', '', '', ''])
  })

  test('003-10: if the plugin of a model dies during a call, the error is retryable as for any provider', async () => {
    const { ctx, snake } = await startSnake('plugin:probe/dies')
    await snake.send('Hello')
    const failed = await snake.waitForEvent(event => event.type === 'status' && event.error !== undefined)
    expect(failed).toMatchObject({
      error: {
        code: 'PROVIDER_DOWN',
        retryable: true
      }
    })
    // After the cancel no retry kills the plugin again, so it restarts.
    await snake.cancel()
    const isBack = () => {
      const [plugin] = ctx.ports.plugins?.list('default') ?? []
      return plugin?.state.kind === 'serving' && plugin.restarts > 0
    }
    await expect.poll(isBack).toBe(true)
  })
})
