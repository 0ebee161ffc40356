import { onTestFinished } from 'vitest'
import { connect, type Pool } from '#db/client.ts'
import type { RunningServer } from '#lib/compose/compose.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { type Reply, says } from '#tests/support/fakes/openai-replies.ts'
import type { ModelRequest } from '#tests/support/fakes/openai-server.ts'
import { startOtherSystem } from '#tests/support/fakes/other-system.ts'
import { serveApi } from '#tests/support/worlds/serve-api.ts'
import { testWorld } from '#tests/support/worlds/world.ts'
import { readPrompt, sessionOf } from './read-prompt.ts'

/** A step that the model thinks about until somebody says what it came to. */
export type Thought = { lines: string[]; reply(reply: Reply): void }

/** Two workers and their API over HTTP in this process, on one database, and a model that thinks until it is told. */
export type Stage = {
  /** Outlives every process. */
  sql: Pool
  /** That of whichever process serves now. */
  ctx(): Ctx
  url: string
  outside: string
  ask(method: string, path: string, body?: unknown): Promise<Asked>
  /** Every step that the model was asked for in this session, oldest first. */
  thoughts(session: string): Thought[]
  /** The calls of all prompts: their names by their IDs. */
  names: Map<string, string>
  /** A new process takes over, and the oldest one is stopped. */
  deploy(): Promise<void>
  /** What is left of it goes with its test. */
  close(): Promise<void>
}
export type Asked = { status: number; body: Record<string, unknown> }

export const key = { authorization: 'Bearer the-admin-key-of-every-test' }

export async function openStage(): Promise<Stage> {
  const outside = await startOtherSystem((response, request) => {
    response.setHeader('content-type', 'text/plain').end(`the page of ${request.path}`)
  })
  const thoughts = new Map<string, Thought[]>()
  const names = new Map<string, string>()
  const think = (request: ModelRequest): Promise<Reply> => {
    const { lines, ids } = readPrompt(request)
    for (const [id, name] of ids) names.set(id, name)
    const { promise, resolve } = Promise.withResolvers<Reply>()
    const session = sessionOf(request)
    thoughts.set(session, [...(thoughts.get(session) ?? []), { lines, reply: resolve }])
    return promise
  }
  const world = await testWorld({
    script: think,
    settings: {
      WAYSTATION_EGRESS_ALLOW: outside.host,
      WAYSTATION_LIMIT_OUT_OF_BAND: '0',
      WAYSTATION_LIMIT_KEY: '0'
    }
  })
  await world.agent({
    chat: {
      tools: [
        { name: 'ask-question' },
        { name: 'web-fetch', approval: 'ask' },
        {
          name: 'dispatch',
          where: 'external',
          description: '',
          inputSchema: { type: 'object' },
          url: `${outside.url}/dispatch`,
          retries: 0
        }
      ],
      limits: { stepsPerTurn: 1000, usdPerTurn: 0, contextTokens: 1_000_000 }
    }
  })
  const worlds: Pick<RunningServer, 'stop'>[] = [{ stop: world.leave }, (await world.second()).world]
  const url = await serveApi()
  const sql = connect(world.databaseUrl(), { max: 4 })
  onTestFinished(() => sql.end({ timeout: 1 }))
  const actor = { kind: 'system', name: 'server', workspaceId: 'default' } as const
  return {
    sql,
    ctx: () => ctxFor(actor),
    url,
    outside: outside.url,
    names,
    thoughts: session => thoughts.get(session) ?? [],
    async ask(method, path, body) {
      const response = await fetch(`${url}/api${path}`, {
        method,
        headers: { ...key, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      return { status: response.status, body: (await response.json()) as Asked['body'] }
    },
    async deploy() {
      worlds.push((await world.second()).world)
      await worlds.shift()?.stop()
    },
    async close() {
      await Promise.all(worlds.map(one => one.stop()))
    }
  }
}

/** What a step says when whoever asked for it has lost the session: nobody ever hears it. */
export const unheard = says('unheard')
