import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkPlugin } from '#tests/support/fakes/plugins/check-plugin.ts'
import { serveGibberish } from '#tests/support/fakes/plugins/gibberish.ts'
import { generate, python, withPython } from '#tests/support/fakes/plugins/python.ts'

withPython.test(
  'plugin:check reports each defect of the test plugin in a sentence and exits with 1',
  async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'plugin-check-'))
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
    generate(join(cwd, 'gen'))
    const program = join(cwd, 'probe')
    writeFileSync(
      program,
      `#!/bin/sh\nPYTHONPATH=gen exec ${python} ${join(process.cwd(), 'tests/support/fakes/plugins/plugin.py')} deaf few-threads\n`
    )
    chmodSync(program, 0o755)
    const { output, code } = await checkPlugin(program, '--model', 'cut')
    expect(code).toBe(1)
    for (const part of [
      'ok     Handshake',
      'ok     GetManifest',
      'FAILED ListTools\n       “no-json”: Its schema is not JSON',
      'ok     OnEvent HANDOFF\n       It returns cancel.',
      'FAILED OnEvent TOOL_RESULT\n       The modified payload is not JSON',
      'FAILED ListViews',
      'FAILED Health while 20 streams are open\n       The plugin did not respond in time. If the plugin uses one thread',
      "FAILED Complete with the model “cut”\n       The plugin's response ended without a finish event.",
      'FAILED It rejects a call with another token',
      'FAILED It exits when its input is closed',
      '7 checks failed.'
    ])
      expect(output).toContain(part)
  }
)

test('plugin:check reports a server that is not a plugin, an invalid address and a missing program', async () => {
  const port = await serveGibberish(socket => socket.destroy())
  for (const [source, message] of [
    [`remote://127.0.0.1:${port}`, 'FAILED Register'],
    ['http://127.0.0.1', 'is not a plugin address'],
    ['/nowhere', '/nowhere is neither a program nor an address']
  ] as const)
    expect(await checkPlugin(source)).toMatchObject({ code: 1, output: expect.stringContaining(message) })
})
