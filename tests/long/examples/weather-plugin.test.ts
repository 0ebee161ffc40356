import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEgressPolicy } from '@waystation/egress'
import { parseAddress } from '@waystation/plugin-host/address.ts'
import { connectPlugin } from '@waystation/plugin-host/connect-plugin.ts'
import { supervise } from '@waystation/plugin-host/supervise.ts'
import { expect, onTestFinished, test } from 'vitest'
import { checkPlugin } from '#tests/support/fakes/plugins/check-plugin.ts'
import { generate, python, withPython } from '#tests/support/fakes/plugins/python.ts'
import { serveTestPlugin } from '#tests/support/fakes/plugins/serve-test-plugin.ts'

/** Copies the example to a temporary folder and generates the code of the protos, as its README says. */
function copyExample(): string {
  const folder = mkdtempSync(join(tmpdir(), 'weather-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync('examples/plugins/weather-python', folder, { recursive: true })
  generate(join(folder, 'gen'))
  return folder
}

withPython.describe('the weather plugin of the examples, in Python', () => {
  test('starts, returns the weather in the configured unit, and fails with a readable error', async () => {
    const cwd = copyExample()
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
      reason: 'The weather of Atlantis is unknown.'
    })
  })

  test('responds only to the server that started it', async () => {
    const cwd = copyExample()
    const child = spawn(python, [join(cwd, 'weather.py')], {
      env: { ...process.env, PLUGIN_TOKEN: 'right', PLUGIN_LISTEN_ADDR: '127.0.0.1:0' },
      stdio: ['pipe', 'pipe', 'inherit']
    })
    onTestFinished(() => void child.kill())
    const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
    const address = parseAddress(`remote://${String(line).split('|')[3]}`)
    const policy = parseEgressPolicy('127.0.0.1')
    for (const [token, expected] of [
      ['right', { name: 'weather' }],
      ['wrong', { reason: 'unauthorized' }],
      [undefined, { reason: 'unauthorized' }]
    ] as const) {
      const calls = connectPlugin(address, { policy, token })
      onTestFinished(() => calls.close('The test is over.'))
      const response = calls.register({ config: {}, envVars: {} }).catch((error: object) => error)
      expect(await response).toMatchObject(expected)
    }
  })

  test('003-2: passes plugin:check as a program and at an address', async () => {
    const cwd = copyExample()
    const asProgram = await checkPlugin(join(cwd, 'weather.py'))
    expect(asProgram.code).toBe(0)
    expect(asProgram.output).not.toMatch(/^FAILED/m)
    const { port } = await serveTestPlugin()
    expect(await checkPlugin(`remote://127.0.0.1:${port}`)).toMatchObject({
      output: expect.stringContaining('“twin”')
    })
  })
})
