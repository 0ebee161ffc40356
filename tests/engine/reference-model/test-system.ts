import { onTestFinished } from 'vitest'
import { connect, type Pool } from '#db/client.ts'
import type { RunningServer } from '#lib/compose/compose.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import type { ModelRequest } from '#tests/support/fakes/model-request.ts'
import { type Reply, replyText } from '#tests/support/fakes/openai-replies.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { readPrompt, sessionOf } from './read-prompt.ts'

/** A model request that waits until the schedule gives its reply. */
export type PendingModelCall = { lines: string[]; reply(reply: Reply): void }

/** Two workers and their HTTP API in this process, on one database, with a model that waits for `reply`. */
export type TestSystem = {
  /** A connection that survives every process. */
  sql: Pool
  /** Returns the context of the process that serves at the moment. */
  ctx(): Ctx
  url: string
  externalSystem: string
  request(method: string, path: string, body?: unknown): Promise<TestResponse>
  /** Returns the model requests of this session, oldest first. */
  modelCalls(session: string): PendingModelCall[]
  /** The names of all calls, by their IDs. */
  names: Map<string, string>
  /** Starts a new process and stops the oldest one. */
  deploy(): Promise<void>
  /** Stops the processes; the test removes everything else. */
  close(): Promise<void>
}
export type TestResponse = { status: number; body: Record<string, unknown> }

export const key = { authorization: 'Bearer the-admin-key-of-every-test' }

/** Starts the workers, their API and the model. The database connection closes when the test ends. */
export async function startTestSystem(): Promise<TestSystem> {
  const externalServer = await startExternalSystem((response, request) => {
    response.setHeader('content-type', 'text/plain').end(`the page of ${request.path}`)
  })
  const requests = new Map<string, PendingModelCall[]>()
  const names = new Map<string, string>()
  const replyLater = (request: ModelRequest): Promise<Reply> => {
    const { lines, ids } = readPrompt(request)
    for (const [id, name] of ids) names.set(id, name)
    const { promise, resolve } = Promise.withResolvers<Reply>()
    const session = sessionOf(request)
    requests.set(session, [...(requests.get(session) ?? []), { lines, reply: resolve }])
    return promise
  }
  const server = await startTestServer({
    script: replyLater,
    settings: {
      WAYSTATION_EGRESS_ALLOW: externalServer.host,
      WAYSTATION_LIMIT_OUT_OF_BAND: '0',
      WAYSTATION_LIMIT_KEY: '0'
    }
  })
  await server.saveAgent({
    chat: {
      tools: [
        { name: 'ask-question' },
        { name: 'web-fetch', approval: 'ask' },
        {
          name: 'dispatch',
          where: 'external',
          description: '',
          inputSchema: { type: 'object' },
          url: `${externalServer.url}/dispatch`,
          retries: 0
        }
      ],
      limits: { stepsPerTurn: 1000, usdPerTurn: 0, contextTokens: 1_000_000 }
    }
  })
  const servers: Pick<RunningServer, 'stop'>[] = [
    { stop: server.stopServer },
    (await server.startSecondServer()).server
  ]
  const url = await serveApi()
  const sql = connect(server.databaseUrl(), { max: 4 })
  onTestFinished(() => sql.end({ timeout: 1 }))
  const actor = { kind: 'system', name: 'server', workspaceId: 'default' } as const
  return {
    sql,
    ctx: () => ctxFor(actor),
    url,
    externalSystem: externalServer.url,
    names,
    modelCalls: session => requests.get(session) ?? [],
    async request(method, path, body) {
      const response = await fetch(`${url}/api${path}`, {
        method,
        headers: { ...key, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      return { status: response.status, body: (await response.json()) as TestResponse['body'] }
    },
    async deploy() {
      servers.push((await server.startSecondServer()).server)
      await servers.shift()?.stop()
    },
    async close() {
      await Promise.all(servers.map(running => running.stop()))
    }
  }
}

/** The reply for a worker that has lost its session. No worker stores it. */
export const lateReply = replyText('unheard')
