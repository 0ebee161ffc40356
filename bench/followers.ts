import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { migrate } from '#db/migrate.ts'
import { seed } from '#db/seed.ts'
import { createToken } from '#lib/auth/tokens/create-token.ts'
import { composeServer } from '#lib/compose/compose.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { readEnv } from '#lib/kernel/settings/env.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'
import { openApi } from '#scripts/serve/api.ts'
import { machine } from './machine.ts'

/**
 * `node bench/followers.ts` measures idle event streams that end users read in a page of another origin, 16 for
 * each token. It prints the statements a second of their access checks, and the CPU time of the server process.
 */
const { values } = parseArgs({
  options: { streams: { type: 'string', default: '1000' }, seconds: { type: 'string', default: '20' } }
})
const streams = Number(values.streams)
const seconds = Number(values.seconds)
const origin = 'https://shop.example'

const dir = await mkdtemp(join(tmpdir(), 'waystation-followers-'))
const database = await startEmbeddedPostgres({ dir })
const env = {
  ...readEnv({
    AUTH_SECRET: 'a secret of thirty-two characters',
    WAYSTATION_VAULT_KEY: Buffer.alloc(32).toString('base64'),
    WAYSTATION_LIMIT_SUBJECT: '0',
    WAYSTATION_LOG_LEVEL: 'error'
  }),
  databaseUrl: database.url
}
await migrate(database.url)
await seed(database.url, env)
const testServer = await composeServer(env)
const api = openApi()
const server = createServer((request, response) => {
  if (!api(request, response)) response.writeHead(404).end()
})
await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
const { port } = server.address() as AddressInfo
try {
  const { cpu, cores, load } = machine()
  console.log(`${cores} cores (${cpu}), load ${load}`)
  const ctx = ctxFor({ kind: 'key', keyId: 'bench', name: 'Bench', role: 'owner', workspaceId: 'default' })
  await ctx.sql`update workspaces set allowed_origins = ${[origin]}::jsonb`
  await createSession(ctx, { agentId: 'guide', sessionId: 'quiet' })
  await measure('nobody')
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
  for (let openCount = 0; openCount < streams; ) {
    const request = {
      sessionId: 'quiet',
      subject: `user-${openCount}`,
      scopes: ['read' as const],
      ttlSeconds: 3600
    }
    const { token } = await createToken(ctx, request)
    const batch = Math.min(16, streams - openCount)
    await Promise.all(Array.from({ length: batch }, () => open(agent, token)))
    openCount += batch
  }
  await measure(`${streams} streams`)
} finally {
  server.closeAllConnections()
  server.close()
  await testServer.stop()
  await database.stop()
  await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

function open(agent: Agent, token: string): Promise<void> {
  return new Promise((done, fail) => {
    const headers = { authorization: `Bearer ${token}`, origin }
    const onResponse = (response: IncomingMessage) => {
      if (response.statusCode !== 200) return fail(new Error(`A stream got ${response.statusCode}.`))
      response.on('error', () => {}).resume()
      done()
    }
    get(`http://127.0.0.1:${port}/api/sessions/quiet/events`, { agent, headers }, onResponse).on(
      'error',
      fail
    )
  })
}

/** Measures the process while nothing happens. */
async function measure(what: string) {
  await pause(5_000)
  const { sql } = ctxFor({ kind: 'system', name: 'bench', workspaceId: '' })
  const options = (sql as unknown as { options: { debug: unknown } }).options
  let sent = 0
  options.debug = () => sent++
  const before = process.cpuUsage()
  await pause(seconds * 1000)
  const { user, system } = process.cpuUsage(before)
  options.debug = false
  const cpu = (user + system) / 1000 / seconds
  console.log(`${what}: ${(sent / seconds).toFixed(1)} statements/s, ${cpu.toFixed(0)} ms of CPU a second`)
}
