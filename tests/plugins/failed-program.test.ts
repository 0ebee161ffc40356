import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hostedPluginOperations } from '#lib/http/operations/hosted-plugins.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

test('003-18: the output of a program that does not start is only in its log, not in the list or in the results of calls', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plugins-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'desk'), '#!/bin/sh\necho "password s3cret" >&2\nexit 3\n')
  chmodSync(join(folder, 'desk'), 0o755)
  const { ctx } = await startTestServer({
    settings: {
      WAYSTATION_PLUGIN_FOLDER: folder,
      WAYSTATION_WORKSPACES: workspaceFolder('plugin "desk" { source = "local://desk" }')
    }
  })
  const { list, get } = hostedPluginOperations
  const listed = async () => (await callEndpoint(list)).body as { plugins: { state: unknown }[] }
  await expect.poll(listed).toMatchObject({ plugins: [{ state: { why: expect.any(String) } }] })
  expect(JSON.stringify(await listed())).not.toContain('s3cret')
  const result = await ctx.ports.plugins?.of('default')[0]?.callTool('a', {}, {})
  expect(result).toMatchObject({ ok: false })
  expect(JSON.stringify(result)).not.toContain('s3cret')
  const { body } = await callEndpoint(get, { params: { plugin: 'desk' } })
  expect(body.logs).toContainEqual(expect.objectContaining({ text: 'password s3cret' }))
})
