import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seed } from '#db/seed.ts'
import { composeServer, type RunningServer } from '#lib/compose/compose.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { createDatabase, type TestDatabase } from '#tests/support/servers/database.ts'
import { testEnv } from '#tests/support/servers/test-server.ts'
import { conformanceOrigin, playScenario, type Scenario } from './conformance-client.ts'

/** Every client scenario of the installed suite that applies. */
const scenarios = [
  'initialize',
  'tools_call',
  'sse-retry',
  'auth/metadata-default',
  'auth/metadata-var1',
  'auth/metadata-var2',
  'auth/metadata-var3',
  'auth/basic-cimd',
  'auth/scope-from-www-authenticate',
  'auth/scope-from-scopes-supported',
  'auth/scope-omitted-when-undefined',
  'auth/scope-step-up',
  'auth/scope-retry-limit',
  'auth/token-endpoint-auth-basic',
  'auth/token-endpoint-auth-post',
  'auth/token-endpoint-auth-none',
  'auth/pre-registration',
  'auth/resource-mismatch',
  'auth/offline-access-scope',
  'auth/offline-access-not-supported'
]

/** `docs/mcp.md` gives the reason for each. */
const notApplicable = [
  'elicitation-sep1034-client-defaults',
  'auth/2025-03-26-oauth-metadata-backcompat',
  'auth/2025-03-26-oauth-endpoint-fallback',
  'auth/client-credentials-jwt',
  'auth/client-credentials-basic',
  'auth/cross-app-access-complete-flow'
]

/** The servers of these scenarios never grant the request, so the client has to give up. */
const endsInError = ['auth/scope-retry-limit', 'auth/resource-mismatch']

type Check = { id: string; status: string; description: string; details?: { tooEarly?: boolean } }
type Result = { checks: Check[]; error: string | undefined }

const suite = join(
  import.meta.dirname,
  '../../../node_modules/@modelcontextprotocol/conformance/dist/index.js'
)
const results = new Map<string, Result>()
let database: TestDatabase | undefined
let testServer: RunningServer | undefined

// One run of the suite, one server and one database serve all scenarios.
beforeAll(async () => {
  database = await createDatabase()
  const env = testEnv(database.url, {
    WAYSTATION_URL: conformanceOrigin,
    WAYSTATION_EGRESS_ALLOW: 'localhost'
  })
  await seed(database.url, env)
  testServer = await composeServer(env)
  const errors = new Map<string, string>()
  await using client = await serveClient(errors)
  for (const [scenario, checks] of await runSuite(client.url))
    results.set(scenario, { checks, error: errors.get(scenario) })
})

afterAll(async () => {
  await testServer?.stop()
  await database?.drop()
})

describe.each(scenarios)('MCP conformance, client: %s', scenario => {
  test('every check passes', () => {
    const { checks, error } = results.get(scenario) ?? { checks: [], error: 'It did not run.' }
    expect(
      checks.filter(check => !passes(check)),
      error
    ).toEqual([])
    expect(
      checks.some(({ status }) => status === 'SUCCESS'),
      error
    ).toBe(true)
    if (endsInError.includes(scenario)) expect(error).toBeDefined()
    else expect(error).toBeUndefined()
  })
})

test('each client scenario of the installed suite is run or has its reason in the documentation', async () => {
  const { stdout } = await run(['list', '--client'])
  const listedNames =
    stdout.match(/^ {2}- (\S+) \[/gm)?.map(line => line.slice(4, line.lastIndexOf(' '))) ?? []
  expect(listedNames.toSorted()).toEqual([...scenarios, ...notApplicable].toSorted())
  const docs = await readFile(join(import.meta.dirname, '../../../docs/mcp.md'), 'utf8')
  expect([...scenarios, ...notApplicable].filter(scenario => !docs.includes(`\`${scenario}\``))).toEqual([])
})

/** A busy machine can resume a stream late. Only resuming too early is an error. */
const passes = ({ id, status, details }: Check) =>
  status === 'SUCCESS' ||
  status === 'INFO' ||
  (id === 'client-sse-retry-timing' && details?.tooEarly === false)

/** Plays each scenario that `conformance-forward.mjs` passes on, and records its error. */
async function serveClient(errors: Map<string, string>) {
  const ctx = ctxFor({ kind: 'key', keyId: 'one', name: 'One', role: 'owner', workspaceId: 'default' })
  const server = createServer(async (request, response) => {
    const { scenario, ...options } = (await json(request)) as Scenario & { scenario: string }
    try {
      if (scenarios.includes(scenario))
        await playScenario(ctx, `scenario-${scenarios.indexOf(scenario)}`, options)
      response.writeHead(204).end()
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
      errors.set(scenario, text)
      response.writeHead(500).end(text)
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

/** Runs all scenarios at once, and returns the checks of each. */
async function runSuite(clientUrl: string): Promise<Map<string, Check[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'waystation-conformance-'))
  try {
    const command = `${process.execPath} ${join(import.meta.dirname, 'conformance-forward.mjs')}`
    await run(['client', '--suite', 'all', '--command', command, '--output-dir', folder], {
      CONFORMANCE_CLIENT: clientUrl
    })
    const checksByScenario = new Map<string, Check[]>()
    for (const path of await readdir(folder, { recursive: true })) {
      const [, scenario] = /^(.+)-\d{4}-\d\d-\d\dT[^/]+\/checks\.json$/.exec(path) ?? []
      if (scenario !== undefined)
        checksByScenario.set(scenario, JSON.parse(await readFile(join(folder, path), 'utf8')) as Check[])
    }
    return checksByScenario
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The exit code includes scenarios that do not apply, so it is ignored. */
const run = (args: string[], env: Record<string, string> = {}) =>
  new Promise<{ stdout: string }>(resolve => {
    execFile(process.execPath, [suite, ...args], { env: { ...process.env, ...env } }, (_, stdout) =>
      resolve({ stdout })
    )
  })
