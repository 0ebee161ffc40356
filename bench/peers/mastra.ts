import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { Outcome, Peer, Place } from './peer.ts'
import { runScript, startScript } from './process.ts'

type Variant = { name: string; storage: keyof typeof storages; durable?: boolean }

const storages = {
  files: { package: '@mastra/libsql', version: '1.23.1', store: 'LibSQLStore', option: 'url' },
  postgres: { package: '@mastra/pg', version: '1.27.1', store: 'PostgresStore', option: 'connectionString' }
}

const storeUrl = (storage: Variant['storage'], { folder, databaseUrl }: Place) =>
  storage === 'files' ? `file:${join(folder, 'mastra.db')}` : databaseUrl

const stores = (durable = false) =>
  `a snapshot at ${durable ? 'each inner step' : 'the start'} and a pause, messages at a pause and the end`

/**
 * The project. A durable agent stores its steps only with `recovery`. The middleware replaces an app's login: without
 * a user, the server refuses to approve a call of a durable agent with memory.
 */
const source = ({ storage, durable }: Variant) => `
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { Agent } from '@mastra/core/agent'
import { createDurableAgent } from '@mastra/core/agent/durable'
import { Mastra } from '@mastra/core/mastra'
import { MASTRA_RESOURCE_ID_KEY } from '@mastra/core/request-context'
import { createTool } from '@mastra/core/tools'
import { Memory } from '@mastra/memory'
import { z } from 'zod'
import { ${storages[storage].store} as Store } from '${storages[storage].package}'

const deploy = createTool({
  id: 'deploy',
  description: 'Deploys a target.',
  inputSchema: z.object({ target: z.string() }),
  requireApproval: true,
  execute: async () => 'deployed'
})
const baseURL = process.env.MODEL_URL
const provider = createOpenAICompatible({ name: 'bench', baseURL, apiKey: 'none', includeUsage: true })
const agent = new Agent({
  id: 'bench',
  name: 'Bench',
  instructions: 'You are a helpful assistant.',
  model: provider('instant'),
  tools: { deploy },
  memory: new Memory()
})
const login = (context, next) => {
  context.get('requestContext').set(MASTRA_RESOURCE_ID_KEY, 'user')
  return next()
}
export const mastra = new Mastra({
  agents: { bench: ${durable ? 'createDurableAgent({ agent })' : 'agent'} },
  storage: new Store({ id: 'bench', ${storages[storage].option}: process.env.STORE_URL }),
  recovery: { durableAgents: '${durable ? 'auto' : 'off'}' },
  server: { middleware: [login] }
})
`

const mastra = (variant: Variant): Peer => ({
  name: variant.name,
  stores: stores(variant.durable),
  packages: {
    mastra: '1.31.0',
    '@ai-sdk/openai-compatible': '3.0.92',
    '@mastra/core': '1.71.0',
    '@mastra/memory': '1.31.0',
    [storages[variant.storage].package]: storages[variant.storage].version,
    typescript: '5.9.3',
    zod: '4.6.7'
  },
  files: () => ({ 'src/mastra/index.ts': source(variant) }),
  data: ['mastra.db', 'mastra.db-wal', 'mastra.db-shm'],
  // The built server finds the packages of the folder above it, so npm need not install them a second time.
  build: ({ folder }) =>
    runScript(['node_modules/mastra/dist/index.js', 'build'], {
      folder,
      env: { MASTRA_TELEMETRY_DISABLED: '1', npm_config_dry_run: 'true' }
    }),
  async start(place) {
    const api = `http://127.0.0.1:${place.port}/api`
    const server = await startScript(['.mastra/output/index.mjs'], `${api}/agents`, {
      folder: place.folder,
      env: {
        MASTRA_HOST: '127.0.0.1',
        MASTRA_TELEMETRY_DISABLED: '1',
        MODEL_URL: place.modelUrl,
        PORT: `${place.port}`,
        STORE_URL: storeUrl(variant.storage, place)
      }
    })
    const pending = new Map<string, { runId: string; toolCallId: string }>()

    const run = async (sessionId: string, route: string, body: object): Promise<Outcome> => {
      let outcome: Outcome | undefined
      for await (const { type, runId, payload } of post(`${api}/agents/bench/${route}`, body)) {
        if (type === 'error') throw new Error(JSON.stringify(payload))
        if (type === 'finish') outcome = 'done'
        if (type !== 'tool-call-approval') continue
        outcome = 'parked'
        pending.set(sessionId, { runId, toolCallId: payload.toolCallId })
        // A plain agent's stream ends after the snapshot is stored. A durable agent's stream stays open.
        if (variant.durable) return await suspended(api, runId)
      }
      if (outcome === undefined) throw new Error(`${route} ended without an outcome`)
      return outcome
    }
    return Object.assign(server, {
      createSession: async () => randomUUID(),
      send: (id: string, text: string) =>
        run(id, 'stream', { messages: text, memory: { thread: id, resource: 'user' } }),
      async approve(id: string) {
        await run(id, 'approve-tool-call', pending.get(id) ?? {})
      }
    })
  }
})

type Chunk = { type: string; runId: string; payload: { toolCallId: string } }

/** Waits for the snapshot of a durable run, which is stored after the client learns of the pause. */
async function suspended(api: string, runId: string): Promise<Outcome> {
  const url = `${api}/workflows/durable-agentic-loop/runs/${runId}?fields=error&withNestedWorkflows=false`
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await pause(10)) {
    const response = await fetch(url)
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
    if (((await response.json()) as { status: string }).status === 'suspended') return 'parked'
  }
  throw new Error(`The snapshot of the run ${runId} is missing`)
}

/** Yields the chunks of a response. */
async function* post(url: string, body: object): AsyncGenerator<Chunk> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok || response.body === null) throw new Error(`${response.status}: ${await response.text()}`)
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  for await (const { data } of events) if (data.startsWith('{')) yield JSON.parse(data)
}

export const mastraFiles = mastra({ name: 'Mastra, files', storage: 'files' })
export const mastraPostgres = mastra({ name: 'Mastra, Postgres', storage: 'postgres' })
export const mastraDurable = mastra({ name: 'Mastra, durable', storage: 'postgres', durable: true })
