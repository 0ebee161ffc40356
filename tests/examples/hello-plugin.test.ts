import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { supervise } from '@waystation/plugin-host/supervise.ts'
import { expect, onTestFinished, test } from 'vitest'
import { readView } from '#lib/plugins/views/read-view.ts'
import { generate, python, withPython } from '#tests/support/fakes/plugins/python.ts'

async function hello() {
  const cwd = mkdtempSync(join(tmpdir(), 'hello-'))
  cpSync('examples/plugins/hello-view-python', cwd, { recursive: true })
  generate(join(cwd, 'gen'))
  const plugin = supervise({
    name: 'hello-view',
    source: { kind: 'local', command: python, args: [join(cwd, 'hello.py')], cwd },
    config: {},
    envVars: {}
  })
  onTestFinished(async () => {
    await plugin.stop()
    rmSync(cwd, { recursive: true, force: true })
  })
  await expect.poll(() => plugin.state).toEqual({ kind: 'serving' })
  return plugin
}

withPython.describe('the views of the examples, in Python', () => {
  test('003-12: respond to invalid forms with an error, and keep serving', async () => {
    const plugin = await hello()
    const post = (body: string, path = '/api/guests') =>
      plugin
        .calls()
        .handleRoute({ method: 'POST', path, body: Buffer.from(body), headers: {}, query: {} })
        .then(({ status, body }) => [status, JSON.parse(Buffer.from(body).toString()).error])
    for (const body of ['{', '[]', '', '{"name": 5}', '{}', '\xff'])
      expect(await post(body)).toEqual([400, 'Send {"name": "…"}.'])
    expect(await post('{"name": " "}')).toEqual([422, 'The name is empty.'])
    expect(await post('{"name": "Bo"}', '/api/other')).toEqual([404, 'There is no POST /api/other.'])
    const render = (viewName: string) =>
      plugin.calls().renderView({ viewName, workspaceId: 'default', params: {} })
    expect(readView(await render('talk'))).toMatchObject([{ type: 'chat' }])
    await expect(render('nope')).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('There is no view “nope”.')
    })
    expect(plugin.state).toEqual({ kind: 'serving' })
  })

  test('003-12, 003-17: send all six events, and respond to invalid messages with an error', async () => {
    const plugin = await hello()
    const person = { workspaceId: 'default', userId: 'ann', userEmail: 'ann@example.com' }
    async function* inputs() {
      for (const input of [
        '{"content": "How many guests?"}',
        '{"content": "Bye!"}',
        '{',
        '[]',
        '{"content": 5}'
      ])
        yield Buffer.from(input)
    }
    const outputs = await Array.fromAsync(plugin.calls().handleStream(person, inputs()))
    const agent = 'hello-view'
    const wrong = { type: 'error', error_message: 'Send {"content": "…"}.' }
    expect(outputs.map(data => JSON.parse(Buffer.from(data).toString()))).toEqual([
      { type: 'tool_call', agent, tool: 'count_guests', args: '{}' },
      { type: 'tool_result', agent, tool: 'count_guests', result: '1' },
      { type: 'content', agent, content: 'You said “How many guests?”, ann@example.com.' },
      { type: 'finish', agent },
      { type: 'handoff', agent, target: 'porter' },
      { type: 'content', agent: 'porter', content: 'You said “Bye!”, ann@example.com.' },
      { type: 'finish', agent: 'porter' },
      wrong,
      wrong,
      wrong
    ])
  })
})
