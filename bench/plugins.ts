import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseEgressPolicy } from '@waystation/egress'
import { pluginHost } from '@waystation/plugin-host/host.ts'
import { WebSocket } from 'ws'
import { type BareClient, bareClient } from '#tests/support/fakes/plugins/bare-client.ts'
import { startServer } from '#tests/support/servers/start-server.ts'
import { startChild } from './child.ts'
import { now } from './machine.ts'
import { trustingSchemas } from './trusting-schemas.ts'

/**
 * `calls` contains the milliseconds of tool calls through the host and by a bare client. `echoes` contains messages
 * a second, one value per repetition.
 */
export type PluginFigures = {
  calls: { ours: number[]; bare: number[] }
  echoes: { ours: number[]; bare: number[] }
}

/** One message of a repetition, of 100 bytes. */
const message = new Uint8Array(100).fill(120)
const messages = 5000

/**
 * Measures a plugin in its own process: tool calls through the host, and messages over a WebSocket. The baseline is
 * a bare gRPC client.
 */
export async function measurePlugins(
  databaseUrl: string,
  { calls, rounds }: { calls: number; rounds: number }
): Promise<PluginFigures> {
  await using plugin = await startChild('./echo-plugin.ts', [])
  const bare = bareClient(plugin.url)
  return {
    calls: await measureCalls(plugin.url, bare, calls),
    echoes: await measureEchoes(databaseUrl, plugin.url, bare, rounds)
  }
}

async function measureCalls(url: string, bare: BareClient, count: number) {
  const host = pluginHost({
    policy: parseEgressPolicy('127.0.0.1'),
    localFolder: undefined,
    platform: undefined,
    readManifest: async () => undefined,
    schemas: trustingSchemas,
    async *converse() {}
  })
  const source = { kind: 'remote' as const, text: url.replace('http', 'remote') }
  await host.keep('bench', [{ name: 'echo', source, config: {}, saved: {}, failClosed: false }], {
    envVars: {}
  })
  await host.ready('bench', 10_000)
  const [echo] = host.of('bench')
  if (echo === undefined) throw new Error('The plugin did not come up.')
  const clients = {
    ours: async () => {
      const result = await echo.callTool('echo', { text: 'hi' }, { signal: AbortSignal.timeout(10_000) })
      if (!result.ok) throw new Error(result.reason)
    },
    bare: () => bare.callTool('echo', '{"text":"hi"}')
  }
  const durations = { ours: [] as number[], bare: [] as number[] }
  const warm = 50
  for (let n = -warm; n < count; n++)
    for (const side of n % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const)) {
      const startedAt = now()
      await clients[side]()
      if (n >= 0) durations[side].push(now() - startedAt)
    }
  await host.stop()
  return durations
}

async function measureEchoes(databaseUrl: string, url: string, bare: BareClient, rounds: number) {
  const folder = await mkdtemp(join(tmpdir(), 'bench-workspaces-'))
  const source = url.replace('http', 'remote')
  await writeFile(
    join(folder, 'default.hcl'),
    `workspace "default" {\n  plugin "echo" { source = "${source}" }\n}\n`
  )
  const server = await startServer({
    DATABASE_URL: databaseUrl,
    WAYSTATION_WORKSPACES: folder,
    WAYSTATION_EGRESS_ALLOW: '127.0.0.1'
  })
  try {
    const measure = { ours: () => overSocket(server), bare: () => overStream(bare) }
    const echoes = { ours: [] as number[], bare: [] as number[] }
    for (let n = -1; n < rounds; n++)
      for (const side of ['ours', 'bare'] as const) {
        const ms = await measure[side]()
        if (n >= 0) echoes[side].push((messages / ms) * 1000)
      }
    return echoes
  } finally {
    await server.stop()
    await rm(folder, { recursive: true })
  }
}

/** Returns the milliseconds that the messages take through the server and back. */
async function overSocket({ url, apiKey }: { url: string; apiKey: string }): Promise<number> {
  const path = '/api/v1/workspaces/default/views/echo/stream'
  const socket = await openSocket(url.replace('http', 'ws') + path, apiKey)
  const { promise: all, resolve } = Promise.withResolvers<void>()
  let received = 0
  socket.on('message', (data: Buffer) => {
    if (data.length > 0 && ++received === messages) resolve()
  })
  const startedAt = now()
  for (let n = 0; n < messages; n++) socket.send(message)
  await all
  const duration = now() - startedAt
  socket.close()
  await once(socket, 'close')
  return duration
}

/** Opens a socket. Retries, because a server that just started does not know its plugins yet. */
async function openSocket(url: string, apiKey: string, attempts = 50): Promise<WebSocket> {
  const headers = { authorization: `Bearer ${apiKey}` }
  const socket = new WebSocket(url, { headers, perMessageDeflate: false })
  try {
    await once(socket, 'open')
    return socket
  } catch (error) {
    if (attempts === 0) throw error
    await pause(100)
    return openSocket(url, apiKey, attempts - 1)
  }
}

/** Returns the milliseconds that the messages take on the plugin's gRPC stream and back. */
async function overStream(client: BareClient): Promise<number> {
  const startedAt = now()
  async function* sent() {
    for (let n = 0; n < messages; n++) yield { data: message }
  }
  let received = 0
  for await (const { data } of client.handleStream(sent())) if (data.length > 0) received += 1
  if (received !== messages) throw new Error(`${received} of ${messages} came back.`)
  return now() - startedAt
}
