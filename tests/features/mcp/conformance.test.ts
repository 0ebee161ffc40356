import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { seed } from '#db/seed.ts'
import { createDatabase } from '#tests/support/database.ts'
import { testEnv } from '#tests/support/world.ts'

/** Those that apply; docs/mcp.md says of the others why they do not. */
const scenarios = [
  'metadata-default',
  'metadata-var1',
  'metadata-var2',
  'metadata-var3',
  'basic-cimd',
  'scope-from-www-authenticate',
  'scope-from-scopes-supported',
  'scope-omitted-when-undefined',
  'scope-step-up',
  'scope-retry-limit',
  'token-endpoint-auth-basic',
  'token-endpoint-auth-post',
  'token-endpoint-auth-none',
  'pre-registration',
  'resource-mismatch',
  'offline-access-scope',
  'offline-access-not-supported'
]

for (const scenario of scenarios)
  test(`MCP conformance, client: auth/${scenario}`, async () => {
    const database = await createDatabase()
    const folder = await mkdtemp(join(tmpdir(), 'waystation-conformance-'))
    onTestFinished(async () => {
      await database.drop()
      await rm(folder, { recursive: true })
    })
    await seed(database.url, testEnv(database.url, {}))
    const said = await run(scenario, folder, database.url)
    const [results = ''] = await readdir(join(folder, 'auth'))
    const checks = JSON.parse(await readFile(join(folder, 'auth', results, 'checks.json'), 'utf8')) as {
      id: string
      status: string
      description: string
    }[]
    const wrong = checks.filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')
    expect(wrong, said.words).toEqual([])
    expect(checks.length).toBeGreaterThan(0)
    expect(said.code, said.words).toBe(0)
  })

function run(scenario: string, folder: string, databaseUrl: string) {
  const client = join(import.meta.dirname, 'conformance-client.ts')
  const args = ['client', '--command', `${process.execPath} ${client}`]
  args.push('--scenario', `auth/${scenario}`, '--output-dir', folder)
  const command = join(
    import.meta.dirname,
    '../../node_modules/@modelcontextprotocol/conformance/dist/index.js'
  )
  return new Promise<{ code: number; words: string }>(resolve => {
    execFile(
      process.execPath,
      [command, ...args],
      { env: { ...process.env, DATABASE_URL: databaseUrl } },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), words: `${out}\n${err}` })
    )
  })
}
