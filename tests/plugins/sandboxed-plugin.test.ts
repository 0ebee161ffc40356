import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { generate, withPython } from '#tests/support/fakes/plugins/python.ts'
import { boxed } from '#tests/support/fakes/with-programs.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

/** A plugin whose tool returns its user, its folder, and whether it can read or write a path. */
const code = `#!/usr/bin/python3
import os
from waystation_plugin import Plugin

plugin = Plugin("looker", version="1.0.0", description="Looks around.")

@plugin.tool(description="Looks at a path.")
def look(path: str) -> dict:
    reads, writes = os.access(path, os.R_OK), os.access(path, os.W_OK)
    return {"user": os.getuid(), "cwd": os.getcwd(), "reads": reads, "writes": writes}

plugin.serve()
`

withPython.describe('in a sandbox', () => {
  test.skipIf(!boxed)(
    '003-18: a plugin sees only its own folder and the system’s programs, and writes none of them',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'plugins-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      const own = join(folder, 'looker')
      mkdirSync(own)
      generate(own)
      writeFileSync(join(own, 'plugin'), code)
      // In the sandbox, it is another user.
      for (const path of [folder, own, join(own, 'plugin')]) chmodSync(path, 0o755)
      const server = await startTestServer({
        settings: {
          WAYSTATION_PLUGIN_FOLDER: folder,
          WAYSTATION_WORKSPACES: workspaceFolder(
            'plugin "looker" {\n source = "local://looker"\n sandbox = true\n }'
          )
        }
      })
      const [plugin] = (await server.ctx.ports.plugins?.ready('default', 20_000)) ?? []
      const look = async (path: string) => await plugin?.callTool('look', { path }, {})
      const sees = (result: object) => ({ ok: true, result: expect.objectContaining(result) })
      expect(await look(join(own, 'plugin'))).toEqual(sees({ cwd: own, reads: true, writes: false }))
      expect(await look('/usr/bin/env')).toEqual(sees({ reads: true, writes: false }))
      expect(await look(process.cwd())).toEqual(sees({ reads: false, writes: false }))
    }
  )
})
