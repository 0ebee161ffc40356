import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { ChatConfig } from '@waystation/protocol/agent/agent.ts'
import { expect, test } from 'vitest'
import { resolveAgent } from '#lib/agents/resolve-agent.ts'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test('the commands of docs/agents.md work as written: draft, diff, publish, restore, pin, and an agent that changes itself', async () => {
  const server = await startTestServer()
  const { secret } = await createKey(server.ctx, { name: 'Robot', role: 'editor' })
  const text = await readFile('docs/agents.md', 'utf8')
  const code = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block).join('\n')
  const { stdout, stderr } = await promisify(execFile)('bash', ['-e', '-c', code], {
    env: { ...process.env, URL: await serveApi(), KEY: secret },
    timeout: 55_000
  })
  expect(stderr).toBe('')
  const answers = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(answers.filter(answer => 'error' in answer)).toEqual([])
  expect(answers).toMatchObject([
    { revision: 1 },
    { draft: { base: 1, version: 1 } },
    { version: 1, revision: 1 },
    { widens: [expect.stringContaining('web-fetch')] },
    { revision: 2 },
    { revision: 1, config: { chat: { instructions: 'Be brief.' } } },
    { widens: [expect.stringContaining('web-fetch')] },
    { revision: 3 },
    { revisions: [{ revision: 3, source: 'restore' }, { revision: 2, note: 'Kinder, and faster.' }, {}] },
    { result: { created: true } },
    { pinnedRevision: 1, revision: 1 },
    { pinnedRevision: null, revision: 3 },
    { draft: { base: 3 } },
    { result: { created: true } },
    { pinnedRevision: -1 },
    { rows: [{ text: 'Where is train 7?' }, { text: 'Which line is closed?' }] },
    { agentId: 'tailor', revision: 1 },
    { agentId: 'warden', revision: 1 },
    { agentId: 'exact', revision: 1 },
    { agentId: 'scout', revision: 1 }
  ])
  const { instructions } = await resolveAgent(
    server.ctx,
    ChatConfig.parse(answers.find(({ agentId }) => agentId === 'tailor').chat)
  )
  expect(instructions).toContain('## Edit your own configuration\n\nYou can propose changes')
})
