import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test('the code of docs/websocket.md works unchanged', async () => {
  const server = await startTestServer()
  await createSession(server.ctx, { agentId: 'guide', sessionId: 'order-1' })
  const { secret } = await createKey(server.ctx, { name: 'Robot', role: 'operator' })
  const url = await serveApi()
  const [, code = ''] = /^```js\n(.*?)^```$/ms.exec(await readFile('docs/websocket.md', 'utf8')) ?? []
  const env = { ...process.env, WAYSTATION_URL: url, WAYSTATION_KEY: secret }
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', code],
    {
      env,
      timeout: 55_000
    }
  )
  expect(stdout).toContain('hello')
  expect(stderr).toBe('')
})
