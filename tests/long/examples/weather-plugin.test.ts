import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { parseEgressPolicy } from '#lib/net/egress-policy.ts'
import { parseAddress } from '#lib/plugins/grpc/address.ts'
import { connectPlugin } from '#lib/plugins/grpc/connect-plugin.ts'
import { supervise } from '#lib/plugins/grpc/supervise.ts'
import { serveGibberish } from '#tests/support/fakes/plugins/gibberish.ts'
import { generate, python, withPython } from '#tests/support/fakes/plugins/python.ts'
import { serveTwin } from '#tests/support/fakes/plugins/twin.ts'

/** A folder of the test's own with the example, and the code of the protos as its README says. */
function example(): string {
  const folder = mkdtempSync(join(tmpdir(), 'weather-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync('examples/plugins/weather-python', folder, { recursive: true })
  generate(join(folder, 'gen'))
  return folder
}

/** What `npm run plugin:check` says, and the code that it ends with. */
async function check(...args: string[]) {
  const child = spawn(process.execPath, ['scripts/plugin-check.ts', ...args], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { said, code }
}

withPython.describe('the weather plugin of the examples, in Python', () => {
  test('is started, tells the weather in the unit of its settings, and fails in words', async () => {
    const cwd = example()
    const plugin = supervise({
      name: 'weather',
      source: { kind: 'local', command: join(cwd, 'weather.py'), args: [], cwd },
      config: { unit: 'fahrenheit' },
      envVars: {}
    })
    onTestFinished(plugin.stop)
    await expect.poll(() => plugin.state).toEqual({ kind: 'serving' })
    const weatherOf = (city: string) => plugin.calls().executeTool({ name: 'get_weather', args: { city } })
    expect(await weatherOf('Bergen')).toEqual({
      ok: true,
      result: { city: 'Bergen', temperature: 48, sky: 'rain' }
    })
    expect(await weatherOf('Atlantis')).toEqual({
      ok: false,
      reason: 'Nobody knows the weather of Atlantis.'
    })
  })

  test('answers nobody but the server that started it', async () => {
    const cwd = example()
    const child = spawn(python, [join(cwd, 'weather.py')], {
      env: { ...process.env, PLUGIN_TOKEN: 'right', PLUGIN_LISTEN_ADDR: '127.0.0.1:0' },
      stdio: ['pipe', 'pipe', 'inherit']
    })
    onTestFinished(() => void child.kill())
    const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
    const address = parseAddress(`remote://${String(line).split('|')[3]}`)
    const policy = parseEgressPolicy('127.0.0.1')
    for (const [token, answer] of [
      ['right', { name: 'weather' }],
      ['wrong', { fault: 'refused' }],
      [undefined, { fault: 'refused' }]
    ] as const) {
      const calls = connectPlugin(address, { policy, token })
      onTestFinished(() => calls.close('The test is over.'))
      const said = calls.register({ config: {}, envVars: {} }).catch((error: object) => error)
      expect(await said).toMatchObject(answer)
    }
  })

  test('003-2: plugin:check finds it as it should be, as a program and at an address', async () => {
    const cwd = example()
    const asProgram = await check(join(cwd, 'weather.py'))
    expect(asProgram.said).toContain('This plugin is as it should be.')
    expect(asProgram.said).toContain('ok     It ends when its input is closed')
    expect(asProgram.code).toBe(0)
    const { port } = await serveTwin()
    const atAddress = await check(`remote://127.0.0.1:${port}`)
    expect(atAddress).toMatchObject({ said: expect.stringContaining('“twin” can do: tools.') })
  })

  test('plugin:check says of the tests’ plugin what is wrong, each in a sentence, and ends with 1', async () => {
    const cwd = example()
    const program = join(cwd, 'probe')
    writeFileSync(
      program,
      `#!/bin/sh\nPYTHONPATH=gen exec ${python} ${join(process.cwd(), 'tests/support/fakes/plugins/plugin.py')} deaf few-threads\n`
    )
    chmodSync(program, 0o755)
    const { said, code } = await check(program, '--model', 'cut')
    expect(code).toBe(1)
    for (const part of [
      'ok     Handshake',
      'ok     GetManifest',
      'FAILED ListTools\n       “no-json”: Its schema is not JSON',
      'ok     OnEvent HANDOFF\n       It says cancel.',
      'FAILED OnEvent TOOL_RESULT\n       The modified payload is not JSON',
      'FAILED ListViews',
      'FAILED Health, while 20 streams are open\n       The plugin did not answer in time. In a server with a thread',
      'FAILED Complete with the model “cut”\n       The plugin’s answer ended without a finish.',
      'FAILED It ends when its input is closed',
      '6 of these are not as they should be.'
    ])
      expect(said).toContain(part)
  })
})

test('plugin:check says of a server that is no plugin, of an address and of a program that are none, that they are none', async () => {
  const port = await serveGibberish(socket => socket.destroy())
  for (const [where, words] of [
    [`remote://127.0.0.1:${port}`, 'FAILED Register'],
    ['http://127.0.0.1', 'is no address of a plugin'],
    ['/nowhere', 'There is no program /nowhere']
  ] as const)
    expect(await check(where)).toMatchObject({ code: 1, said: expect.stringContaining(words) })
})
