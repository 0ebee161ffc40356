import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { parseEgressPolicy } from '#lib/net/egress-policy.ts'
import { pluginHost } from '#lib/plugins/grpc/host.ts'
import { type BareClient, bareClient } from '#tests/support/fakes/plugins/bare-client.ts'
import { startServer } from '#tests/support/worlds/start-server.ts'
import { startChild } from './child.ts'
import { now } from './machine.ts'
import { trustingSchemas } from './trusting-schemas.ts'

/** `calls`: milliseconds of a call of a tool, through the host and by a bare client. `echoes`: messages a second, each round. */
export type PluginFigures = {
  calls: { ours: number[]; bare: number[] }
  echoes: { ours: number[]; bare: number[] }
}

/** What a round sends at once, in bytes each. */
const message = new Uint8Array(100).fill(120)
const messages = 5000

/** A plugin in a process of its own, reached as agents and browsers reach it, and beside that by a bare gRPC client. */
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
  await host.settled('bench', 10_000)
  const [echo] = host.of('bench')
  if (echo === undefined) throw new Error('The plugin did not come up.')
  const ways = {
    ours: async () => {
      const told = await echo.callTool('echo', { text: 'hi' }, AbortSignal.timeout(10_000))
      if (!told.ok) throw new Error(told.reason)
    },
    bare: () => bare.callTool('echo', '{"text":"hi"}')
  }
  const took = { ours: [] as number[], bare: [] as number[] }
  const warm = 50
  for (let n = -warm; n < count; n++)
    for (const way of n % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const)) {
      const from = now()
      await ways[way]()
      if (n >= 0) took[way].push(now() - from)
    }
  await host.stop()
  return took
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
    const over = { ours: () => overSocket(server), bare: () => overStream(bare) }
    const echoes = { ours: [] as number[], bare: [] as number[] }
    for (let n = -1; n < rounds; n++)
      for (const way of ['ours', 'bare'] as const) {
        const ms = await over[way]()
        if (n >= 0) echoes[way].push((messages / ms) * 1000)
      }
    return echoes
  } finally {
    await server.stop()
    await rm(folder, { recursive: true })
  }
}

/** How long a round takes through the server, in ms. */
async function overSocket({ url, apiKey }: { url: string; apiKey: string }): Promise<number> {
  const path = '/api/v1/workspaces/default/views/echo/stream'
  const socket = await opened(url.replace('http', 'ws') + path, apiKey)
  const { promise: all, resolve } = Promise.withResolvers<void>()
  let heard = 0
  socket.on('message', (data: Buffer) => {
    if (data.length > 0 && ++heard === messages) resolve()
  })
  const from = now()
  for (let n = 0; n < messages; n++) socket.send(message)
  await all
  const took = now() - from
  socket.close()
  await once(socket, 'close')
  return took
}

/** Opens a socket. A server that has just started does not know its plugins yet. */
async function opened(url: string, apiKey: string, tries = 50): Promise<WebSocket> {
  const headers = { authorization: `Bearer ${apiKey}` }
  const socket = new WebSocket(url, { headers, perMessageDeflate: false })
  try {
    await once(socket, 'open')
    return socket
  } catch (error) {
    if (tries === 0) throw error
    await pause(100)
    return opened(url, apiKey, tries - 1)
  }
}

/** The same over the plugin's stream itself. */
async function overStream(client: BareClient): Promise<number> {
  const from = now()
  async function* sent() {
    for (let n = 0; n < messages; n++) yield { data: message }
  }
  let heard = 0
  for await (const { data } of client.handleStream(sent())) if (data.length > 0) heard += 1
  if (heard !== messages) throw new Error(`${heard} of ${messages} came back.`)
  return now() - from
}
