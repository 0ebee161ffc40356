import { spawn } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { makeCertificate } from '#tests/support/fakes/certificates.ts'
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

test('plugin:check finishes if a reader such as `head` closes its end early', async () => {
  const { port } = await serveTestPlugin()
  const child = spawn(process.execPath, ['scripts/plugin-check.ts', `remote://127.0.0.1:${port}`])
  child.stdout.destroy()
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect(errors).toBe('')
  expect(code).toBe((await checkPlugin(`remote://127.0.0.1:${port}`)).code)
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
  expect(await checkPlugin(folder)).toMatchObject({
    code: 1,
    output: expect.stringContaining('named “plugin”')
  })
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

test('003-15: plugin:check sends only the events that the plugin subscribes to, and names an unknown event', async () => {
  const served = async (lifecycle_events: string) => {
    const seen: string[] = []
    const hook = ({ type }: { type: string }) => void seen.push(type)
    const plugin = await serveTestPlugin({ hook, metadata: { lifecycle_events } })
    const { output } = await checkPlugin(`remote://127.0.0.1:${plugin.port}`)
    return { output, seen }
  }
  const some = await served('HANDOFF, TOOL_CALL')
  expect(some.output).toContain('ok     Events\n')
  expect(some.seen).toEqual(['TOOL_CALL', 'HANDOFF'])
  const unknown = await served('TOOL_CALLS')
  expect(unknown.output).toMatch(/FAILED Events\n.*“TOOL_CALLS”/)
  expect(unknown.seen).toEqual([])
})

test('003-5: plugin:check reports parts of the manifest that are left out, and settings that it does not permit', async () => {
  const fields = `
    field "unit" {
      type    = "string"
      options = ["celsius"]
      colour  = "red"
    }
    field "limit" {
      type    = "number"
    }`
  const { port } = await serveTestPlugin({ fields })
  const check = (...args: string[]) => checkPlugin(`remote://127.0.0.1:${port}`, ...args)
  const { output } = await check('--set', 'unit=kelvin')
  expect(output).toMatch(/ok {5}GetManifest\n.*"colour"/)
  expect(output).toMatch(/FAILED Settings\n.*“unit=kelvin”/)
  expect((await check('--set', 'limit=many')).output).toMatch(/FAILED Settings\n.*“limit=many”/)
  expect((await check('--set', 'limit=3')).output).toContain('ok     Settings\n')
})

test('plugin:check reports a program that ends during a call, and does not say that it rejects tokens or exits', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plugin-check-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const program = join(folder, 'plugin')
  const source = join(folder, 'plugin.ts')
  const module = resolve('packages/plugin/src/index.ts')
  writeFileSync(
    source,
    `import { plugin } from ${JSON.stringify(module)}
    const run = () => process.exit(3)
    await plugin({ name: 'crash', version: '1', description: 'x', hooks: { TOOL_CALL: run } }).serve()`
  )
  writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} ${source}\n`)
  chmodSync(program, 0o755)
  const { code, output } = await checkPlugin(program)
  expect(code).toBe(1)
  for (const what of ['OnEvent TOOL_CALL', 'It rejects a call with another token', 'It exits when its input'])
    expect(output).toContain(`FAILED ${what}`)
  expect(output).toContain('exited with code 3')
})

test('an address with TLS for a plugin without it, and the reverse, are reported with the right address', async () => {
  const plain = await serveTestPlugin()
  const secure = await serveTestPlugin({ tls: makeCertificate('localhost') })
  expect((await checkPlugin(`remotes://127.0.0.1:${plain.port}`)).output).toContain('remote://')
  expect((await checkPlugin(`remote://localhost:${secure.port}`)).output).toContain('remotes://')
})

test('22 A8: plugin:check uses the certificate authority, pin and client certificate of its arguments', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plugin-check-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const authority = makeCertificate('authority')
  const server = makeCertificate('localhost', authority)
  const client = makeCertificate('waystation', authority)
  const { port } = await serveTestPlugin({ tls: { key: server.key, cert: server.cert, ca: authority.cert } })
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const pair = ['--client-certificate', file('c', client.cert), '--client-key', file('k', client.key)]
  const check = async (...args: string[]) =>
    (await checkPlugin(`remotes://localhost:${port}`, ...args)).output
  const registered = 'ok     Register\n'
  const ca = ['--ca', file('ca', authority.cert)]
  expect(await check(...ca, ...pair)).toContain(registered)
  const { fingerprint256 } = new X509Certificate(server.cert)
  expect(await check('--pin', fingerprint256, ...pair)).toContain(registered)
  expect(await check(...pair)).toMatch(/FAILED Register\n.*“ca” or “pin”/)
  expect(await check(...ca)).toMatch(/FAILED Register\n.*“client_certificate”/)
  const wrong = { code: 2, output: '' }
  expect(await checkPlugin(`remote://localhost:${port}`, ...ca)).toEqual(wrong)
  expect(await checkPlugin(`remotes://localhost:${port}`, ...pair.slice(2))).toEqual(wrong)
})
