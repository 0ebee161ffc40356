import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Outcome, Peer, Place } from './peer.ts'
import { runScript, startScript } from './process.ts'

const env = { EVE_TELEMETRY_DISABLED: '1' }

const agent = (modelUrl: string, options: string) => `
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { defineAgent } from 'eve'
const bench = createOpenAICompatible({ name: 'bench', baseURL: '${modelUrl}', apiKey: 'none', includeUsage: true })
export default defineAgent({ model: bench('instant'), modelContextWindowTokens: 128_000, ${options} })`

const files = {
  'agent/instructions.md': 'Deploy when you are asked to.',
  'agent/channels/eve.ts': `
import { none } from 'eve/channels/auth'
import { eveChannel } from 'eve/channels/eve'
export default eveChannel({ auth: [none()] })`,
  'agent/tools/deploy.ts': `
import { defineTool } from 'eve/tools'
import { always } from 'eve/tools/approval'
import { z } from 'zod'
const inputSchema = z.object({ target: z.string() })
export default defineTool({ description: 'Deploys.', inputSchema, approval: always(), execute: () => 'deployed' })`
}

/** A build prepares the sandbox, and the default one needs Docker or virtual machines. No session opens this one. */
const sandbox = `
import { defineSandbox } from 'eve/sandbox'
import { JustBashSandbox } from 'eve/sandbox/just-bash'
export const environment = JustBashSandbox.environment()
export default defineSandbox(() => environment.open())`

const build = ({ folder }: Place) => runScript(['node_modules/eve/bin/eve.js', 'build'], { folder, env })

type Data = { on?: string; message?: string; continuationToken?: string; requests?: { requestId: string }[] }
type Run = PromiseWithResolvers<Outcome>
type Session = { id?: string; token?: string; request?: string; failure?: string; run?: Run }

/**
 * Starts the script that `eve start` runs as a child, so that the process id is the server's. A client keeps one
 * event stream per session open. An old eve creates a session with its first message, and wants a token in later ones.
 */
async function start({ folder, port }: Place, more: Record<string, string>, isOld: boolean) {
  const url = `http://127.0.0.1:${port}/eve/v1`
  const options = { folder, env: { ...env, ...more, HOST: '127.0.0.1', PORT: `${port}` } }
  const server = await startScript(['.output/server/index.mjs'], `${url}/health`, options)
  const sessions = new Map<string, Session>()
  const closing = new AbortController()

  /** A new session answers `session_not_ready` until its workflow has begun. Eve's own client retries, too. */
  const post = async (path: string, body: object): Promise<{ sessionId: string }> => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await response.text()
    if (response.ok) return JSON.parse(text)
    if (!text.includes('session_not_ready')) throw new Error(`${path} answered ${response.status}: ${text}`)
    return await pause(20).then(() => post(path, body))
  }
  const follow = async (session: Session) => {
    const { body } = await fetch(`${url}/session/${session.id}/stream`, { signal: closing.signal })
    let rest = ''
    for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (rest + part).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line !== '') read(session, JSON.parse(line))
    }
    throw new Error('The stream ended.')
  }
  const create = async (session: Session, body: object) => {
    session.id = (await post('/session', body)).sessionId
    follow(session).catch(error => Object.assign(session, { failure: `${error}` }).run?.reject(error))
  }
  const run = async (key: string, body: object): Promise<Outcome> => {
    const session = sessions.get(key) ?? {}
    if (session.failure !== undefined) throw new Error(session.failure)
    session.request = undefined
    session.run = Promise.withResolvers()
    const message = isOld ? { ...body, continuationToken: session.token } : body
    const sent = session.id === undefined ? create(session, body) : post(`/session/${session.id}`, message)
    return (await Promise.all([session.run.promise, sent]))[0]
  }
  return {
    pid: server.pid,
    async createSession() {
      const [key, session] = [randomUUID(), {}]
      sessions.set(key, session)
      if (!isOld) await create(session, {})
      return key
    },
    send: (key: string, message: string) => run(key, { message }),
    async approve(key: string) {
      const requestId = sessions.get(key)?.request
      await run(key, { inputResponses: [{ requestId, optionId: 'approve' }] })
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      await server[Symbol.asyncDispose]()
    }
  }
}

/** A failed turn ends with `session.waiting` too, so its error is kept until then. */
function read(session: Session, { type, data }: { type: string; data: Data }): void {
  if (type === 'input.requested') session.request = data.requests?.[0]?.requestId
  if (type === 'turn.failed' || type === 'session.failed') session.failure = data.message ?? type
  const waits = type === 'session.waiting' || (type === 'turn.waiting' && data.on === 'input')
  if (!waits && type !== 'session.failed') return
  session.token = data.continuationToken
  if (session.failure !== undefined) session.run?.reject(new Error(session.failure))
  else session.run?.resolve(session.request === undefined ? 'done' : 'parked')
  session.failure = undefined
}

const sdk = { ai: '7.0.173', '@ai-sdk/openai-compatible': '3.0.92', zod: '4.6.7' }
export const eveFiles: Peer = {
  name: 'eve, files',
  stores: 'every step and event in files, without fsync',
  packages: { eve: '0.80.1', ...sdk, 'just-bash': '3.4.2' },
  files: ({ modelUrl }) => ({
    ...files,
    'agent/agent.ts': agent(modelUrl, 'defaultTools: false'),
    'agent/sandbox.ts': sandbox
  }),
  build,
  data: ['.eve/.workflow-data'],
  start: place => start(place, {}, false)
}

const world = '@workflow/world-postgres'
const setup = `node_modules/${world}/bin/setup.js`
const tools = 'agent ask_question bash glob grep read_file todo web_fetch write_file'.split(' ')
const worldEnv = ({ databaseUrl }: Place) => ({ WORKFLOW_POSTGRES_URL: databaseUrl })
const disabled = `import { disableTool } from 'eve/tools'\nexport default disableTool()`

/** An older eve, built with the same packages as this world: 0.80.1 rejects it, and no newer one could be installed. */
export const evePostgres: Peer = {
  name: 'eve, Postgres',
  stores: 'every step and event in Postgres',
  packages: { eve: '0.24.6', ...sdk, [world]: '5.0.0-beta.27' },
  files: ({ modelUrl }) => ({
    ...files,
    ...Object.fromEntries(tools.map(name => [`agent/tools/${name}.ts`, disabled])),
    'agent/agent.ts': agent(modelUrl, `experimental: { workflow: { world: '${world}' } }`)
  }),
  build,
  prepare: place => runScript([setup], { folder: place.folder, env: worldEnv(place) }),
  start: place => start(place, worldEnv(place), true)
}
