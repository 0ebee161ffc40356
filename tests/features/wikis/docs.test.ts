import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test('001-20: the commands of docs/wikis.md work as written: create, import, read, export and delete a wiki', async () => {
  const server = await startTestServer()
  const { secret } = await createKey(server.ctx, { name: 'Robot', role: 'editor' })
  const files = await mkdtemp(join(tmpdir(), 'waystation-wikis-'))
  onTestFinished(() => rm(files, { recursive: true }))
  const text = await readFile('docs/wikis.md', 'utf8')
  const code = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block).join('\n')
  const { stdout, stderr } = await promisify(execFile)('bash', ['-e', '-c', code], {
    env: { ...process.env, URL: await serveApi(), KEY: secret, FILES: files },
    timeout: 55_000
  })
  expect(stderr).toBe('')
  const answers = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(answers).toMatchObject([
    { name: 'garden', tiddlers: 0 },
    { wiki: 'garden', imported: 1, skippedCount: 0 },
    { total: 1, tiddlers: [{ title: 'Rose', tags: ['plants', 'slow things'] }] },
    { tiddler: { text: '! Thorns\nSee [[Oak]].' }, html: expect.stringContaining('<h3>Thorns</h3>') },
    { name: 'copy' },
    { wiki: 'copy', imported: 1 },
    { name: 'copy' },
    { agentId: 'gardener' },
    { changes: [], nextBefore: null },
    { ok: true },
    { html: '<h2>Beds</h2>' },
    { wikis: [{ name: 'garden', tiddlers: 1 }] },
    { name: 'garden' }
  ])
})
