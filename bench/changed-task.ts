import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { SendOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { SendMessage } from '@waystation/protocol/session/session.ts'
import { migrate } from '#db/migrate.ts'
import { seed } from '#db/seed.ts'
import { composeServer } from '#lib/compose/compose.ts'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { countTokens } from '#lib/kernel/count-tokens.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { readEnv } from '#lib/kernel/settings/env.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { followSession } from '#lib/sessions/follow.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import type { ModelRequest } from '#tests/support/fakes/model-request.ts'
import { type Reply, replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { startOpenAIServer } from '#tests/support/fakes/openai-server.ts'

/** How the agent learns during its work that the task has changed. */
const ways = ['queued message', 'out-of-band message'] as const
type Way = (typeof ways)[number]

/** The cost of the task: model steps, tokens as the model reports them, and minutes of the simulated clock. */
type TaskCost = { steps: number; inputTokens: number; outputTokens: number; minutes: number }

const modules = ['auth', 'billing', 'cart', 'catalog', 'email', 'orders', 'search', 'users']
/** The number of modules that the agent has started to migrate when the task changes. */
const startedModules = 3
/** Simulated duration of the migration of one module, in minutes. */
const minutesPerModule = 1
const change = 'The target changed: migrate every module to API v3 instead of v2.'

/**
 * Compares what a task costs if it changes while the agent works on it (004-16, 004-17). The same scripted agent
 * migrates eight modules, one per step. During the third one, the target changes. It learns this either from a message
 * that waits for the end of its turn, or from an out-of-band message before its next step. Each run does the same work
 * on every machine.
 */
export async function compareChangedTask(databaseUrl: string): Promise<Record<Way, TaskCost>> {
  await migrate(databaseUrl)
  await seed(databaseUrl, { local: false, url: 'http://localhost' })
  let onModule = async () => {}
  const service = createServer(async (_, response) => {
    await onModule()
    response.end('Migrated.')
  }).listen(0, '127.0.0.1')
  await once(service, 'listening')
  const host = `127.0.0.1:${(service.address() as AddressInfo).port}`
  await using model = await startOpenAIServer({ script: request => nextReply(request, host) })
  const env = readEnv({
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'none',
    WAYSTATION_EGRESS_ALLOW: host,
    AUTH_SECRET: 'a secret of thirty-two characters',
    WAYSTATION_VAULT_KEY: Buffer.alloc(32).toString('base64')
  })
  const server = await composeServer({ ...env, databaseUrl })
  try {
    const ctx = ctxFor({
      kind: 'key',
      keyId: 'bench',
      name: 'Bench',
      role: 'owner',
      workspaceId: 'default'
    })
    const config = AgentConfig.parse({
      agentId: 'migrator',
      displayName: 'Migrator',
      chat: { tools: [{ name: 'web-fetch' }], limits: { stepsPerTurn: 100 } }
    })
    await ctx.sql`insert into agents (workspace_id, id, config) values ('default', 'migrator', ${config}::jsonb)`
    const run = async (way: Way): Promise<TaskCost> => {
      const sessionId = way.replaceAll(' ', '-')
      let started = 0
      onModule = async () => {
        if (++started === startedModules) await tell[way](ctx, sessionId)
      }
      await createSession(ctx, { agentId: 'migrator', sessionId })
      await sendMessage(
        ctx,
        SendMessage.parse({ sessionId, text: `Migrate these modules to API v2: ${modules.join(', ')}.` })
      )
      await untilDone(ctx, sessionId)
      return { ...(await usageOf(ctx, sessionId)), minutes: started * minutesPerModule }
    }
    return {
      'queued message': await run('queued message'),
      'out-of-band message': await run('out-of-band message')
    }
  } finally {
    await server.stop()
    service.close()
  }
}

const tell: Record<Way, (ctx: Ctx, sessionId: string) => Promise<unknown>> = {
  'queued message': (ctx, sessionId) =>
    sendMessage(ctx, SendMessage.parse({ sessionId, text: change, whenBusy: 'queue' })),
  'out-of-band message': (ctx, sessionId) =>
    sendOutOfBand(ctx, SendOob.parse({ sessionId, content: change, sourceId: 'architect' }))
}

/**
 * Plays the model: it migrates the first module that is not migrated to the newest target that it knows, acknowledges
 * out-of-band messages, and is done after the last module.
 */
function nextReply({ body: { messages } }: ModelRequest, host: string): Reply {
  const prompt = JSON.stringify(messages)
  const target = prompt.includes(change) ? 'v3' : 'v2'
  const tokens = (output: string) => ({ input: countTokens(prompt), output: countTokens(output) })
  const next = modules.find(module => !prompt.includes(`${module}/${target}`))
  if (next === undefined) {
    const text = `All modules use API ${target}.`
    return replyText(text, { tokens: tokens(text) })
  }
  const work = {
    name: 'web-fetch',
    input: { url: `http://${host}/${next}/${target}` },
    id: `call_${next}_${target}`
  }
  const [, oobId = ''] = /<out_of_band [^>]*id=\\"(\w+)/.exec(prompt) ?? []
  const acknowledge = {
    name: 'acknowledge_out_of_band',
    input: { id: oobId, effect: 'I migrate to v3.' },
    id: 'call_acknowledge'
  }
  const calls = oobId === '' || prompt.includes(acknowledge.input.effect) ? [work] : [acknowledge, work]
  return { ...replyCalls(...calls), tokens: tokens(JSON.stringify(calls)) } as Reply
}

/** Resolves when the agent has said that all modules use the new target, and its turn is over. */
async function untilDone(ctx: Ctx, sessionId: string): Promise<void> {
  const stop = new AbortController()
  let text = ''
  for await (const event of await followSession(ctx, { sessionId, after: 0 }, stop.signal)) {
    if (event.type === 'chunk' && event.chunk.type === 'text-delta') text += event.chunk.delta
    if (event.type !== 'status' || event.outcome === undefined) continue
    if (event.outcome !== 'done') throw new Error(`The turn of ${sessionId} ended as ${event.outcome}.`)
    if (text.includes('API v3')) break
  }
  stop.abort()
}

async function usageOf(ctx: Ctx, sessionId: string): Promise<Omit<TaskCost, 'minutes'>> {
  const [usage] = await ctx.sql<Omit<TaskCost, 'minutes'>[]>`
    select sum(committed)::int as steps, sum(input_tokens)::int as input_tokens, sum(output_tokens)::int as output_tokens
    from turns t join sessions s on s.key = t.session_key where s.id = ${sessionId}`
  if (usage === undefined) throw new Error(`The session ${sessionId} has no turns.`)
  return usage
}

/** Returns the comparison as a Markdown table, which `docs/out-of-band.md` contains. */
export function changedTaskTable(costs: Record<Way, TaskCost>): string {
  const rows = ways.map(way => {
    const { steps, inputTokens, outputTokens, minutes } = costs[way]
    const [input, output] = [inputTokens, outputTokens].map(tokens => tokens.toLocaleString('en'))
    return `| ${way} | ${steps} | ${input} | ${output} | ${minutes} |`
  })
  return [
    '| the change arrives as | model steps | input tokens | output tokens | minutes of work |',
    '|---|---|---|---|---|',
    ...rows
  ].join('\n')
}
