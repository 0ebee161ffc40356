import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { getAgent } from '#lib/agents/get.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

/** Returns a server, and a function that runs `npm run agents` on a new folder. */
async function startServerWithFolder() {
  const server = await startTestServer()
  const url = await serveApi()
  const folder = await mkdtemp(join(tmpdir(), 'waystation-agents-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const run = (command: string, key = 'the-admin-key-of-every-test') =>
    new Promise<{ code: number; out: string; err: string }>(done => {
      const env = { ...process.env, WAYSTATION_URL: url, WAYSTATION_API_KEY: key }
      execFile(process.execPath, ['scripts/agents.mjs', command, folder], { env }, (error, out, err) =>
        done({ code: Number(error?.code ?? 0), out, err })
      )
    })
  const file = (agentId: string) => join(folder, `${agentId}.json`)
  return { ...server, folder, file, run }
}

test('exporting agents to files and importing them again keeps the IDs, and publishes nothing', async () => {
  const { folder, run, ctx } = await startServerWithFolder()
  expect((await run('export')).out).toContain('guide.json: revision 1')
  expect((await readdir(folder)).sort()).toEqual(['acme-clerk.json', 'guide.json'])
  expect(await run('diff')).toMatchObject({ code: 0, out: expect.stringContaining('guide.json: the same') })
  expect((await run('import')).out).not.toContain('published')
  expect(await getAgent(ctx, { agentId: 'guide' })).toMatchObject({ revision: 1 })
})

test('a changed file is published as the next revision, and a new file creates an agent', async () => {
  const { file, run, ctx } = await startServerWithFolder()
  await run('export')
  const guide = JSON.parse(await readFile(file('guide'), 'utf8'))
  await writeFile(file('guide'), JSON.stringify({ ...guide, displayName: 'Pilot' }))
  await writeFile(file('fresh'), JSON.stringify({ agentId: 'fresh', displayName: 'Fresh' }))
  expect(await run('diff')).toMatchObject({
    code: 1,
    out: expect.stringMatching(/fresh.json: new\n.*guide.json: different/)
  })
  const { out } = await run('import')
  expect(out).toMatch(/fresh.json: created, revision 1\n.*guide.json: published, revision 2/)
  expect(await getAgent(ctx, { agentId: 'guide' })).toMatchObject({ revision: 2, displayName: 'Pilot' })
})

test('each error is one sentence: a missing or wrong key, a misnamed file, invalid JSON, an invalid configuration', async () => {
  const { file, run } = await startServerWithFolder()
  expect(await run('export', '')).toMatchObject({
    code: 2,
    err: expect.stringContaining('Set WAYSTATION_API_KEY')
  })
  expect((await run('export', 'wrong')).err).toContain('GET /api/agents: ')
  expect((await run('sing')).err).toContain('Usage: npm run agents')
  await writeFile(file('one'), '{"agentId": "two"}')
  expect((await run('import')).err).toContain('Rename the file to two.json')
  await writeFile(file('one'), '{')
  expect((await run('import')).err).toContain('is not JSON')
  await writeFile(file('one'), '{"agentId": "one", "displayName": "One", "chat": {"model": 7}}')
  expect((await run('import')).err).toMatch(/POST \/api\/agents: .*chat.model/)
})
