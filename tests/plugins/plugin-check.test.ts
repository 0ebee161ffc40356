import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { checkPlugin } from '#tests/support/fakes/plugins/check-plugin.ts'
import { serveTestPlugin } from '#tests/support/fakes/plugins/serve-test-plugin.ts'

test('003-2, 003-5: plugin:check registers with the settings and variables of its arguments, over the defaults', async () => {
  const plugin = await serveTestPlugin({
    fields: `
      field "unit" {
        type    = "string"
        default = "celsius"
      }
      field "limit" {
        type    = "number"
        default = "3"
      }`
  })
  const address = `remote://127.0.0.1:${plugin.port}`
  const args = ['--set', 'unit=a=b', '--env', 'REGION=eu', '--env', 'EMPTY=']
  // Its tool answers to every name, which is a failed check.
  expect((await checkPlugin(address, ...args)).output).toContain('ok     Settings\nok     Register\n')
  expect(plugin.registered[0]).toMatchObject({
    config: { unit: 'a=b', limit: '3' },
    envVars: { REGION: 'eu', EMPTY: '' }
  })
  const unknown = await checkPlugin(address, '--set', 'units=celsius')
  expect(unknown.code).toBe(1)
  expect(unknown.output).toMatch(/FAILED Settings\n.*“units”.*unit, limit/)
})

test('003-5: plugin:check shows the warnings of a manifest, and fails for a name that no file can have', async () => {
  const plugin = await serveTestPlugin({
    name: 'my plugin',
    fields: `
      field "key" {
        type   = "string"
        secret = true
      }`
  })
  const { output } = await checkPlugin(`remote://127.0.0.1:${plugin.port}`)
  expect(output).toMatch(/ok {5}GetManifest\n.*"secret"/)
  expect(output).toMatch(/FAILED Register\n.*“my plugin”/)
})

test('003-2: plugin:check names the required setting that is missing', async () => {
  const plugin = await serveTestPlugin({
    fields: `
      field "key" {
        type     = "string"
        required = true
      }`,
    rejectConfig(config) {
      if (config.key === undefined) throw new Error('There is no key.')
    }
  })
  const address = `remote://127.0.0.1:${plugin.port}`
  const failed = await checkPlugin(address)
  expect(failed.code).toBe(1)
  expect(failed.output).toMatch(/FAILED Register\n.*--set key=value/)
  expect((await checkPlugin(address, '--set', 'key=k')).output).toContain('ok     Register\n')
})

test('003-2: plugin:check gives a program its variables as environment', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plugin-check-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const program = join(folder, 'model')
  const source = resolve('examples/plugins/model-typescript/model.ts')
  writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} ${source}\n`)
  chmodSync(program, 0o755)
  const set = ['--set', 'api_key_env=MODEL_KEY']
  const failed = await checkPlugin(program, ...set)
  expect(failed).toMatchObject({ code: 1, output: expect.stringContaining('There is no variable MODEL_KEY') })
  expect(await checkPlugin(program, ...set, '--env', 'MODEL_KEY=k')).toMatchObject({ code: 0 })
})

test('plugin:check takes the folder of a program, and prints the end of its log if a check fails', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plugin-check-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const program = join(folder, 'plugin')
  const source = resolve('examples/plugins/model-typescript/model.ts')
  writeFileSync(program, `#!/bin/sh\necho 'started by the check' >&2\nexec ${process.execPath} ${source}\n`)
  const unusable = await checkPlugin(program)
  expect(unusable).toMatchObject({ code: 1, output: expect.stringContaining('chmod +x') })
  chmodSync(program, 0o755)
  const failed = await checkPlugin(folder, '--set', 'api_key_env=MODEL_KEY')
  expect(failed).toMatchObject({ code: 1, output: expect.stringContaining('  started by the check\n') })
  const passed = await checkPlugin(folder, '--set', 'api_key_env=K', '--env', 'K=k')
  expect(passed).toMatchObject({ code: 0, output: expect.not.stringContaining('started by the check') })
})

test('003-2: plugin:check fails for a program that answers calls without its token', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plugin-check-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const program = join(folder, 'plugin')
  const source = resolve('examples/plugins/model-typescript/model.ts')
  writeFileSync(program, `#!/bin/sh\nunset PLUGIN_TOKEN\nexec ${process.execPath} ${source}\n`)
  chmodSync(program, 0o755)
  const { code, output } = await checkPlugin(folder, '--set', 'api_key_env=K', '--env', 'K=k')
  expect({ code, output }).toEqual({
    code: 1,
    output: expect.stringMatching(/FAILED .*token\n.*PLUGIN_TOKEN/)
  })
})

test('plugin:check rejects malformed arguments with its usage', async () => {
  for (const args of [
    [],
    ['a', 'b'],
    ['a', '--set', 'unit'],
    ['a', '--set', '=celsius'],
    ['a', '--env', '1A=b'],
    ['a', '--set', 'a=1', '--set', 'a=2'],
    ['a', '--sets', 'a=1']
  ]) {
    const child = spawn(process.execPath, ['scripts/plugin-check.ts', ...args])
    const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    expect({ code, output }).toEqual({
      code: 2,
      output: expect.stringContaining('Usage: npm run plugin:check')
    })
  }
})
