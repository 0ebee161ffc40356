import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

const library = JSON.stringify(`file://${resolve('packages/plugin/dist/index.js')}`)

/** A plugin that writes a line to the hidden file `.starts` at each start. */
const code = (description: string) => `
  import { appendFileSync } from 'node:fs'
  import { plugin } from ${library}
  appendFileSync('.starts', '${description}\\n')
  const tools = { greet: { description: '${description}', run: () => 'Hello.' } }
  await plugin({ name: 'greeter', version: '1.0.0', description: 'Greets.', tools }).serve()`

test('003-18: a plugin with restart_on_change restarts when its files change, also after an error, and not for hidden files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plugins-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const own = join(folder, 'greeter')
  mkdirSync(join(own, 'node_modules'), { recursive: true })
  writeFileSync(join(own, 'plugin.mjs'), code('first'))
  writeFileSync(join(own, 'plugin'), `#!/bin/sh\nexec ${process.execPath} plugin.mjs\n`)
  chmodSync(join(own, 'plugin'), 0o755)
  const server = await startTestServer({
    settings: {
      WAYSTATION_PLUGIN_FOLDER: folder,
      WAYSTATION_WORKSPACES: workspaceFolder(`plugin "greeter" {
        source            = "local://greeter"
        restart_on_change = true
      }`)
    }
  })
  const plugins = server.ctx.ports.plugins
  await plugins?.ready('default', 20_000)
  const description = () => plugins?.of('default')[0]?.tools[0]?.description
  const starts = () => readFileSync(join(own, '.starts'), 'utf8').trim().split('\n')
  expect(description()).toBe('first')

  appendFileSync(join(own, 'node_modules', 'a.js'), '1')
  writeFileSync(join(own, 'plugin.mjs'), code('second'))
  await expect.poll(description).toBe('second')
  expect(starts()).toEqual(['first', 'second'])

  writeFileSync(join(own, 'plugin.mjs'), 'no code')
  await expect.poll(() => plugins?.list('default')[0]?.state).not.toMatchObject({ kind: 'serving' })
  writeFileSync(join(own, 'plugin.mjs'), code('third'))
  await expect.poll(description).toBe('third')

  // A turn waits for a restarted program, as for the first start.
  const state = () => plugins?.list('default')[0]?.state
  plugins?.restart('default', 'greeter')
  await expect.poll(state, { interval: 5 }).toMatchObject({ kind: 'starting' })
  await plugins?.ready('default', 20_000)
  expect(state()).toMatchObject({ kind: 'serving' })
})
