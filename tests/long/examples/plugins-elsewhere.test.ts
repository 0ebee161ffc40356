import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { generate, python, withPython } from '#tests/support/fakes/plugins/python.ts'

/** Copies an example out of the repository. */
function copyOf(example: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'elsewhere-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(`examples/plugins/${example}`, folder, { recursive: true })
  return folder
}

/** Starts a plugin manually, without the token of a platform. Resolves with the address that it prints. */
async function startManually(command: string, args: string[], cwd: string): Promise<string> {
  const env = { ...process.env, PLUGIN_LISTEN_ADDR: '127.0.0.1:0' }
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill()
    await ended
  })
  const line = once(createInterface({ input: child.stdout }), 'line')
  const [address] = await Promise.race([
    line,
    ended.then(() => Promise.reject(new Error(`${args.join(' ')} ended before it listened.`)))
  ])
  return `remote://${String(address).split('|')[3]}`
}

async function check(address: string) {
  const child = spawn(process.execPath, ['scripts/plugin-check.ts', address], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { output, code }
}

const passed = { code: 0, output: expect.stringContaining('All checks passed.') }

test.each(['guard', 'model'])(
  '003-3: the example %s passes plugin:check at an address, in a folder of its own',
  async name => {
    const folder = copyOf(`${name}-typescript`)
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
    expect(await check(await startManually(process.execPath, [`${name}.ts`], folder))).toMatchObject(passed)
  }
)

withPython.describe('the views of the examples, in Python', () => {
  test('003-3: pass plugin:check at an address, in a folder of their own', async () => {
    const folder = copyOf('hello-view-python')
    generate(join(folder, 'gen'))
    expect(await check(await startManually(python, ['hello.py'], folder))).toMatchObject(passed)
  })
})
