import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { readView } from '#lib/plugins/views/read-view.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { startOpenAIServer } from '#tests/support/fakes/openai-server.ts'
import { generate, withPython } from '#tests/support/fakes/plugins/python.ts'
import { serveTestPlugin } from '#tests/support/fakes/plugins/serve-test-plugin.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

/** Writes a program that runs a TypeScript example with the current Node, in a folder of its own. */
function programOf(example: string): { folder: string; program: string } {
  const folder = mkdtempSync(join(tmpdir(), 'examples-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const program = join(folder, example)
  const source = resolve(`examples/plugins/${example}-typescript/${example}.ts`)
  writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} ${source}\n`)
  chmodSync(program, 0o755)
  return { folder, program }
}

/** Runs `npm run plugin:check`. Resolves with its output and its exit code. */
async function check(...args: string[]) {
  const child = spawn(process.execPath, ['scripts/plugin-check.ts', ...args], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { output, code }
}

test('003-15: the example guard passes plugin:check, cancels blocked calls and hides secrets from models', async () => {
  const { folder, program } = programOf('guard')
  const result = await check(program)
  expect(result.output).toContain('All checks passed.')
  expect(result.code).toBe(0)

  const plugin = await serveTestPlugin()
  const server = await startTestServer({
    script: [replyCalls({ name: 'echo', input: { text: 'hi' } }), replyText('It is not allowed.')],
    settings: {
      WAYSTATION_EGRESS_ALLOW: '127.0.0.1',
      WAYSTATION_PLUGIN_FOLDER: folder,
      WAYSTATION_WORKSPACES: workspaceFolder(`
        plugin "twin" { source = "remote://127.0.0.1:${plugin.port}" }
        plugin "guard" {
          source      = "local://guard"
          fail_closed = true
          config { blocked_tools = "echo" }
        }`)
    }
  })
  await server.ctx.ports.plugins?.ready('default', 20_000)
  await server.saveAgent({ chat: { tools: [{ plugin: 'twin', approval: 'auto' }] } })
  const session = await server.startSession('test')
  await session.runTurn('My key is sk-abcdefghijklmnop1234, call echo.')
  const sent = server.model.requests.map(({ body }) => JSON.stringify(body.messages))
  expect(sent[0]).toContain('My key is [secret], call echo.')
  expect(sent.join()).not.toContain('sk-abcdefghijklmnop1234')
  expect(sent[1]).toContain('TOOL_CALL')
})

test('003-10, 003-11: the example model passes plugin:check and works with any OpenAI-compatible endpoint', async () => {
  const { folder, program } = programOf('model')
  const provider = await startOpenAIServer({
    script: [replyCalls({ name: 'echo', input: { text: 'hi' } }), replyText('Hello from over there.')]
  })
  onTestFinished(() => provider[Symbol.asyncDispose]())
  const result = await check(program)
  expect(result.output).toContain('All checks passed.')
  expect(result.code).toBe(0)

  const plugin = await serveTestPlugin()
  const server = await startTestServer({
    settings: {
      WAYSTATION_EGRESS_ALLOW: '127.0.0.1',
      WAYSTATION_PLUGIN_FOLDER: folder,
      WAYSTATION_WORKSPACES: workspaceFolder(`
        plugin "twin" { source = "remote://127.0.0.1:${plugin.port}" }
        plugin "model" {
          source = "local://model"
          config { base_url = "${provider.url}" }
        }`)
    }
  })
  await server.ctx.ports.plugins?.ready('default', 20_000)
  await server.saveAgent({
    chat: { model: 'plugin:model/small', tools: [{ plugin: 'twin', approval: 'auto' }] }
  })
  const session = await server.startSession('test')
  expect(await session.runTurn('Go.')).toMatchObject({ outcome: 'done' })
  expect((await session.agentTexts()).join()).toContain('Hello from over there.')
  const [, second] = provider.requests.map(({ body }) => JSON.stringify(body.messages))
  expect(second).toContain('"role":"tool"')
  expect(second).toContain('"name":"echo"')
})

withPython.describe('the views of the examples, in Python', () => {
  test('003-12: pass plugin:check, and render guest names as text', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hello-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    cpSync('examples/plugins/hello-view-python', folder, { recursive: true })
    generate(join(folder, 'gen'))
    const result = await check(join(folder, 'hello.py'))
    expect(result.output).toContain('All checks passed.')
    expect(result.code).toBe(0)

    const server = await startTestServer({
      settings: {
        WAYSTATION_PLUGIN_FOLDER: folder,
        WAYSTATION_WORKSPACES: workspaceFolder('plugin "hello-view" { source = "local://hello.py" }')
      }
    })
    await server.ctx.ports.plugins?.ready('default', 20_000)
    const [plugin] = server.ctx.ports.plugins?.of('default') ?? []
    // biome-ignore lint/suspicious/noTemplateCurlyInString: HCL would interpolate it
    const signs = 'Ann "${1}" %{if} \u{1F600} <b>\n'
    const timeout = AbortSignal.timeout(10_000)
    const sign = (name: string) =>
      plugin?.handleRoute(
        {
          method: 'POST',
          path: '/api/guests',
          body: Buffer.from(JSON.stringify({ name })),
          headers: {},
          query: {}
        },
        { signal: timeout }
      )
    expect(await sign('')).toMatchObject({ status: 422 })
    expect(await sign(signs)).toMatchObject({ status: 200 })
    const hcl = await plugin?.renderView(
      { viewName: 'hello', workspaceId: 'default', params: { name: signs } },
      { signal: timeout }
    )

    expect(readView(hcl ?? '')).toMatchObject([
      { attributes: { content: `Hello, ${signs}!` } },
      {},
      {
        attributes: {
          rows: [
            ['1', 'Ada'],
            ['2', signs.trim()]
          ]
        }
      },
      { type: 'form' }
    ])
    async function* messages() {
      yield Buffer.from('{"content":"hi"}')
    }
    const user = { workspaceId: 'default', userId: 'ann', userEmail: 'ann@example.com' }
    const received = await Array.fromAsync(plugin?.handleStream(user, messages(), { signal: timeout }) ?? [])
    expect(received.map(data => JSON.parse(Buffer.from(data).toString()))).toEqual([
      { type: 'content', agent: 'hello-view', content: 'You said “hi”, ann@example.com.' },
      { type: 'finish', agent: 'hello-view' }
    ])
  })
})
