import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Code, createClient } from '@connectrpc/connect'
import { createGrpcTransport } from '@connectrpc/connect-node'
import { type PluginTestOptions, testPlugin } from '@waystation/plugin/testing'
import { Plugin } from '@waystation/plugin-host/generated/plugin_pb.ts'
import { ToolProvider } from '@waystation/plugin-host/generated/tool_pb.ts'
import { ViewProvider } from '@waystation/plugin-host/generated/view_pb.ts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { generate, python, withPython } from '#tests/support/fakes/plugins/python.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

withPython.describe('the library for plugins in Python', () => {
  let cwd: string
  beforeAll(() => {
    cwd = mkdtempSync(join(tmpdir(), 'desk-'))
    generate(join(cwd, 'gen'))
  })
  afterAll(() => rmSync(cwd, { recursive: true, force: true }))

  const script = resolve('tests/support/fakes/plugins/desk.py')
  async function desk(options?: PluginTestOptions) {
    const host = await testPlugin({ program: python, args: [script], cwd }, options)
    onTestFinished(host.stop)
    return host
  }

  test('makes the schema of a tool from its type hints, and runs tools', async () => {
    const host = await desk({ settings: { limit: 2, loud: true }, env: { REGION: 'eu' } })
    expect(host).toMatchObject({ name: 'desk', events: ['LLM_REQUEST', 'TOOL_CALL'], skipped: [] })
    expect(host.tools[0]).toEqual({
      name: 'add',
      description: 'Adds numbers.',
      parameters: {
        type: 'object',
        properties: {
          values: { type: 'array', items: { type: 'integer' } },
          label: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          kind: { enum: ['a', 'b'], default: 'a' },
          sizes: { anyOf: [{ type: 'object', additionalProperties: { type: 'number' } }, { type: 'null' }] }
        },
        required: ['values']
      }
    })
    expect(await host.callTool('add', { values: [1, 2], label: null })).toEqual({
      ok: true,
      result: { sum: 3, label: null, kind: 'a', settings: { unit: 'celsius', limit: 2, loud: true } }
    })
    expect(await host.callTool('add', { values: [1, 2, 3] })).toEqual({
      ok: false,
      reason: 'Add up to 2 numbers.'
    })
    expect(await host.callTool('call')).toMatchObject({ result: { region: 'eu' } })
    expect(await host.callTool('none')).toEqual({ ok: false, reason: 'There is no tool “none”.' })
    expect(await host.callTool('fail')).toEqual({ ok: false, reason: 'Out of paper.' })
    await expect.poll(() => host.logs().join('\n')).toContain('ValueError: Out of paper.')
  })

  test('serves hooks, models, views, routes and streams', async () => {
    const host = await desk()
    const call = { tool_name: 'fail', arguments_json: '{}' }
    expect(await host.sendEvent('TOOL_CALL', call)).toEqual({ action: 'cancel' })
    expect(await host.sendEvent('TOOL_CALL', call, { agentName: 'boss' })).toEqual({ action: 'continue' })
    const prompt = { model: 'm', messages: [], tools: [] }
    expect(await host.sendEvent('LLM_REQUEST', prompt)).toEqual({
      action: 'modify',
      payload: { ...prompt, messages: [{ role: 'user', content: 'Be brief.' }] }
    })
    expect(await Array.fromAsync(host.complete({}))).toEqual([
      { type: 'text', text: '0 messages' },
      { type: 'tool-call', id: 'a', name: 'echo', chunk: '{}' },
      { type: 'usage', inputTokens: 1, outputTokens: 2 },
      { type: 'finish', reason: 'tool-use' }
    ])
    await expect(Array.fromAsync(host.complete({ model: 'busy' }))).rejects.toMatchObject({ reason: 'busy' })
    // biome-ignore lint/suspicious/noTemplateCurlyInString: HCL would interpolate it
    const title = 'A ${1} %{if} "q" \\b \b\f\n'
    expect(await host.render('book', { title })).toMatchObject([
      { type: 'text', attributes: { content: title } },
      { children: [{ type: 'stat-group', blocks: [{ labels: ['count'], attributes: { value: 0 } }] }] }
    ])
    await expect(host.render('none')).rejects.toThrow('There is no view “none”.')
    expect(await host.request('POST', '/guests/7', { json: 'Ann' })).toMatchObject({
      status: 200,
      json: { message: '7: Ann' }
    })
    expect(await host.request('POST', '/guests/7', { body: '{' })).toMatchObject({ status: 422 })
    expect(await host.request('GET', '/files/a/b.txt')).toMatchObject({
      body: new TextEncoder().encode('a/b.txt')
    })
    for (const path of ['/guests/7', '/guests', '/files'])
      expect(await host.request('GET', path)).toMatchObject({ status: 404 })
    expect(await Array.fromAsync(host.stream(['hi'], { userEmail: 'ann@example.com' }))).toEqual([
      'hi',
      '{"type": "content", "agent": "desk", "content": "ann@example.com default"}'
    ])
  })

  test('rejects wrong settings, and what its own check rejects', async () => {
    for (const [settings, message] of [
      [{ limit: 'many' }, '“limit” is not a number'],
      [{ loud: 'yes' }, '“loud” is neither true nor false'],
      [{ unit: 'kelvin' }, '“unit” has an unknown value. Use one of: celsius, fahrenheit'],
      [{ limit: 0 }, '“limit” must not be 0.']
    ] as const)
      await expect(desk({ settings })).rejects.toThrow(message)
  })

  /** Starts a plugin with these lines. */
  async function plugin(lines: string, options?: PluginTestOptions) {
    const file = join(cwd, 'small.py')
    const start = 'import sys\nsys.path.insert(0, "gen")\nfrom waystation_plugin import *\n'
    writeFileSync(file, `${start}plugin = Plugin("small", "1", "Small")\n${lines}\nplugin.serve()\n`)
    // This variable would hide that a plugin does not flush its output.
    const args = ['-u', 'PYTHONUNBUFFERED', python, file]
    const host = await testPlugin({ program: '/usr/bin/env', args, cwd }, options)
    onTestFinished(host.stop)
    return host
  }

  test('a tool receives dataclasses and enums, and its context by type', async () => {
    const host = await plugin(`import dataclasses, enum
from typing import Annotated, TypedDict, Union
class Size(enum.Enum):
  SMALL = "small"
  LARGE = "large"
@dataclasses.dataclass
class Item:
  sku: str
  size: Size = Size.SMALL
  notes: list[str] = dataclasses.field(default_factory=list)
class Place(TypedDict, total=False):
  city: str
@plugin.tool
def order(items: list[Item], prices: dict[str, float], caller: Context, place: Place = {},
          when: Annotated[Union[int, str], "A date"] = 0) -> dict:
  "Orders items."
  return {"items": items, "sizes": [item.size.name for item in items], "settings": caller.settings, "place": place}`)
    const [tool] = host.tools
    expect(tool?.parameters).toEqual({
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              sku: { type: 'string' },
              size: { enum: ['small', 'large'], default: 'small' },
              notes: { type: 'array', items: { type: 'string' }, default: [] }
            },
            required: ['sku']
          }
        },
        prices: { type: 'object', additionalProperties: { type: 'number' } },
        place: { type: 'object', properties: { city: { type: 'string' } }, required: [], default: {} },
        when: { anyOf: [{ type: 'integer' }, { type: 'string' }], description: 'A date', default: 0 }
      },
      required: ['items', 'prices']
    })
    const items = [{ sku: 'a', size: 'large' }, { sku: 'b' }]
    expect(await host.callTool('order', { items, prices: {}, place: { city: 'Lima' } })).toEqual({
      ok: true,
      result: {
        items: [
          { sku: 'a', size: 'large', notes: [] },
          { sku: 'b', size: 'small', notes: [] }
        ],
        sizes: ['LARGE', 'SMALL'],
        settings: {},
        place: { city: 'Lima' }
      }
    })
  })

  test('a setting has one of its options, also if they are numbers or have labels', async () => {
    const lines = `plugin = Plugin("small", "1", "Small", settings={
  "retries": {"type": "number", "options": [1, 2, 3], "default": 2},
  "unit": {"type": "string", "options": [{"value": "c", "label": "Celsius"}, {"value": "f"}], "default": "c"}})
@plugin.tool
def settings(context):
  return context.settings`
    const host = await plugin(lines, { settings: { retries: 3 } })
    expect(await host.callTool('settings')).toEqual({ ok: true, result: { retries: 3, unit: 'c' } })
    await expect(plugin(lines, { settings: { unit: 'k' } })).rejects.toThrow('Use one of: c, f')
  })

  test('a printed line is in the log at once', async () => {
    const host = await plugin('@plugin.tool\ndef say():\n  print("One line.")')
    await host.callTool('say')
    await expect.poll(() => host.logs()).toContain('One line.')
  })

  test('two plugins cannot listen on one port', async () => {
    const host = await plugin('@plugin.tool\ndef say():\n  pass')
    const { stderr, status } = spawnSync(python, [join(cwd, 'small.py')], {
      cwd,
      env: { ...process.env, PLUGIN_LISTEN_ADDR: host.address },
      encoding: 'utf8'
    })
    expect(stderr).toContain(`The plugin cannot listen on ${host.address}.`)
    expect(status).toBe(1)
  })

  test('a stream can yield the events of a conversation', async () => {
    const host = await plugin(`import platform_pb2
@plugin.view("chat", label="Chat")
def chat(params, context):
  return [{"type": "chat"}]
@plugin.stream
def talk(messages, context):
  yield platform_pb2.ConversationEvent(type="content", agent="desk", content="Hi.")
@plugin.tool
def ask(context):
  return list(context.converse("Hi"))`)
    const [event = ''] = await Array.fromAsync(host.stream(['hi']))
    expect(JSON.parse(event)).toEqual({ type: 'content', agent: 'desk', content: 'Hi.' })
    expect(await host.callTool('ask')).toMatchObject({
      reason: expect.stringContaining('PLATFORM_HOST_ADDR')
    })
  })

  test('sys.exit() fails only its call', async () => {
    const host = await plugin(`@plugin.tool
def leave():
  sys.exit("Bye.")
@plugin.hook("TOOL_CALL")
def guard(payload, context):
  sys.exit(3)`)
    expect(await host.callTool('leave')).toEqual({ ok: false, reason: 'SystemExit: Bye.' })
    await expect(host.sendEvent('TOOL_CALL', { tool_name: 'leave', arguments_json: '{}' })).rejects.toThrow(
      'SystemExit: 3'
    )
  })

  test('a test can set the IDs that a tool in Python reads', async () => {
    const host = await desk({ workspaceId: 'team', userId: 'person:ada' })
    expect(await host.callTool('call', {}, { sessionId: 's 1', callId: 'c' })).toMatchObject({
      result: { ids: ['team', 's 1', 'person:ada', 'c', 'c'] }
    })
  })

  test('a plugin that cannot work names its defect at the start', async () => {
    const tool = (signature: string) => `@plugin.tool\n${signature}:\n  pass\n`
    for (const [lines, message] of [
      [`import datetime\n${tool('def a(day: datetime.date)')}`, '“day” of the tool a has no JSON Schema'],
      [tool('def a(**values)'), 'The schema of the tool a cannot come from “**values'],
      [tool('async def a()'), 'Define a with def, not async def.'],
      ['@plugin.health\nasync def fit():\n  return True', 'Define fit with def, not async def.'],
      [tool('def a()').repeat(2), 'The plugin has two tools “a”.'],
      ['@plugin.hook("TOOL_CALL")\ndef h(payload, context):\n  pass\n'.repeat(2), 'two hooks “TOOL_CALL”'],
      ['@plugin.hook("TOOL_CALLS")\ndef h(payload, context):\n  pass', "'TOOL_CALLS' is not an event."]
    ] as const)
      await expect(plugin(lines), lines).rejects.toThrow(message)
  })

  test('names what a hook, a view or a model cannot return', async () => {
    const host = await plugin(`@plugin.hook("TOOL_CALL")
def guard(payload, context):
  return "MAYBE"
@plugin.view("page", label="Page")
def page(params, context):
  return {"list": {}, "type": [{"content": "x"}], "fields": [{"type": "form", "fields": ["a"]}]}[params["of"]]
@plugin.model
def answer(request, context):
  yield {"type": "tool-call", "id": "a", "name": "echo", "chunk": "{"}
  yield {"type": "tool-call", "chunk": "}"}
  yield {"type": "tool-call", "name": "echo", "chunk": "{}"}`)
    await expect(host.sendEvent('TOOL_CALL', { tool_name: 'leave', arguments_json: '{}' })).rejects.toThrow(
      "A hook cannot return 'MAYBE'."
    )
    await expect(host.render('page', { of: 'list' })).rejects.toThrow('{} is not a list of components.')
    await expect(host.render('page', { of: 'type' })).rejects.toThrow(
      "The component {'content': 'x'} has no type."
    )
    await expect(host.render('page', { of: 'fields' })).rejects.toThrow('Write fields of the component')
    const pieces: unknown[] = []
    const read = async () => {
      for await (const piece of host.complete({})) pieces.push(piece)
    }
    await expect(read()).rejects.toThrow("A model cannot yield {'type': 'tool-call', 'name': 'echo'")
    expect(pieces).toEqual([
      { type: 'tool-call', id: 'a', name: 'echo', chunk: '{' },
      { type: 'tool-call', id: 'a', chunk: '}' }
    ])
  })

  test('names the parameters that a handler needs, and the part that a model cannot yield', async () => {
    const hook = '@plugin.hook("TOOL_CALL")\ndef guard(payload):\n  return "CANCEL"'
    await expect(plugin(hook)).rejects.toThrow('Define guard with the parameters (payload, context).')
    const host = await plugin(`@plugin.model
def answer(request, context):
  yield {"part": {"type": "txt"}, "reason": {"type": "finish", "reason": "done"}, "text": "hi"}[request.model]
@plugin.tool
def lookup():
  return {}["city"]
@plugin.tool
def status():
  raise PluginError("NONE", "No.")`)
    for (const [model, part] of [
      ['part', "{'type': 'txt'}"],
      ['reason', "{'type': 'finish', 'reason': 'done'}"],
      ['text', "'hi'"]
    ])
      await expect(Array.fromAsync(host.complete({ model }))).rejects.toThrow(`A model cannot yield ${part}.`)
    expect(await host.callTool('lookup')).toEqual({ ok: false, reason: "KeyError: 'city'" })
    expect(await host.callTool('status')).toMatchObject({ reason: expect.stringContaining('“NONE”') })
  })

  test('testPlugin takes the folder of a program, as a workspace file does', async () => {
    const file = join(cwd, 'plugin')
    const lines = `import sys\nsys.path.insert(0, "gen")\nfrom waystation_plugin import Plugin`
    const tool = '@plugin.tool\ndef say():\n  return "Hi."'
    writeFileSync(
      file,
      `#!${python}\n${lines}\nplugin = Plugin("small", "1", "Small")\n${tool}\nplugin.serve()\n`
    )
    chmodSync(file, 0o755)
    const host = await testPlugin({ program: cwd })
    onTestFinished(host.stop)
    expect(await host.callTool('say')).toEqual({ ok: true, result: 'Hi.' })
  })

  test('answers only calls with its token, and tells a tool that its call ended', async () => {
    const host = await desk()
    const stop = new AbortController()
    const outcome = host.callTool('wait', {}, { signal: stop.signal })
    await expect.poll(() => host.callTool('waits')).toEqual({ ok: true, result: [true, false] })
    stop.abort()
    expect(await outcome).toMatchObject({ ok: false })
    await expect.poll(() => host.callTool('waits')).toEqual({ ok: true, result: [true, true] })

    const transport = createGrpcTransport({ baseUrl: `http://${host.address}` })
    async function* messages() {
      yield { data: new Uint8Array([1]) }
    }
    const refused = { code: Code.Unauthenticated }
    await expect(createClient(ToolProvider, transport).listTools({})).rejects.toMatchObject(refused)
    const stream = createClient(ViewProvider, transport).handleStream(messages())
    await expect(Array.fromAsync(stream)).rejects.toMatchObject(refused)
  })

  test('uses the settings of the workspace that calls it', async () => {
    const env = { ...process.env, PLUGIN_LISTEN_ADDR: '127.0.0.1:0' }
    const program = spawn(python, [script], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] })
    onTestFinished(() => void program.kill())
    const [handshake] = await once(program.stdout, 'data')
    const address = String(handshake).split('|')[3]
    const transport = createGrpcTransport({ baseUrl: `http://${address}` })
    const inWorkspace = (id: string) => ({ headers: { 'x-waystation-workspace': id } })
    for (const limit of ['1', '2'])
      await createClient(Plugin, transport).register({ config: { limit } }, inWorkspace(`with ${limit}`))
    const add = async (id: string) => {
      const call = { name: 'add', argumentsJson: JSON.stringify({ values: [1, 2] }) }
      return (await createClient(ToolProvider, transport).executeTool(call, inWorkspace(id))).isError
    }
    expect([await add('with 1'), await add('with 2')]).toEqual([true, false])
  })

  test('003-17: calls the server from a tool', async () => {
    const server = await startTestServer({
      script: [replyCalls({ name: 'ask', input: {} }), replyText('I am the reception.'), replyText('Done.')],
      settings: {
        WAYSTATION_PLUGIN_FOLDER: resolve('tests/support/fakes/plugins'),
        WAYSTATION_WORKSPACES: workspaceFolder(`
          plugin "desk" { source = "local://start-desk.sh" }
          env {
            DESK   = "${script}"
            FOLDER = "${cwd}"
            PYTHON = "${python}"
          }
          default_agent = "reception"
          agent "reception" { instructions = "You are the reception." }`)
      }
    })
    await server.ctx.ports.plugins?.ready('default', 20_000)
    await server.saveAgent({ chat: { tools: [{ plugin: 'desk', approval: 'auto' }] } })
    const session = await server.startSession('test')
    await session.runTurn('Who is the default agent?')
    const last = JSON.stringify(server.model.requests.at(-1)?.body.messages)
    expect(last).toContain('finish')
  })
})
