import { setTimeout as pause } from 'node:timers/promises'
import { parseEgressPolicy, safeFetch } from '@waystation/egress'
import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { fullTrust } from '@waystation/protocol/out-of-band/oob-trust.ts'
import { builderOn, connect, type Pool } from '#db/client.ts'
import { migrate } from '#db/migrate.ts'
import { seed } from '#db/seed.ts'
import { featurePorts } from '#lib/compose/extensions.ts'
import { jobs, minuteJobs } from '#lib/compose/jobs.ts'
import { turnHost } from '#lib/compose/turn/turn-host.ts'
import type { TurnServices } from '#lib/compose/turn/turn-services.ts'
import { postgresPubSub } from '#lib/engine/log/pubsub/postgres.ts'
import { Subscriber } from '#lib/engine/log/subscribe.ts'
import { Runner } from '#lib/engine/worker/runner.ts'
import { notifyWebhooks } from '#lib/features/webhooks/notify-webhooks.ts'
import { startWorker } from '#lib/infra/queue/worker.ts'
import { vaultWith } from '#lib/infra/vault.ts'
import { type Ctx, outsideTransaction, type Ports } from '#lib/kernel/ctx.ts'
import { problemOfFinish } from '#lib/models/finish-problem.ts'
import { describeModelError } from '#lib/models/model-error.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { type InstantModel, instantModel } from './instant-model.ts'
import { now } from './machine.ts'
import { withSlow } from './slow-addresses.ts'
import { tenPlugins } from './ten-plugins.ts'
import { trustingSchemas } from './trusting-schemas.ts'

/** The tool that the instant model calls. A user must answer it, so the session parks. */
const tool = 'ask-question'
/** The interval in milliseconds at which `rest` checks whether any session has a lease. */
const pollMs = 2

/**
 * The engine like `composeServer` builds it, with two replacements: the instant model, and a wake job that reports
 * its times. The figures are of the production code between them.
 */
export type Stage = AsyncDisposable & {
  ctx: Ctx
  /** Like `ctx`, but for a process that runs no turns or is at capacity. Its messages go through the queue. */
  otherProcess: Ctx
  sql: Pool
  model: InstantModel
  /** Returns the times at which the next wake job is called and has claimed its session. */
  nextWake(): { called: Promise<number>; claimed: Promise<number> }
  /**
   * Creates a session and returns its ID. `hooked` is the agent `bench` with ten plugins; `parallel` runs twenty
   * tools at once.
   */
  session(agentId?: 'bench' | 'hooked' | 'parallel'): Promise<string>
  /** Returns the ID of the call that a session waits for. */
  openCall(sessionId: string): Promise<string>
  /** Calls back with the text of each statement that the engine sends. Call the returned function to stop. */
  onStatement(listener: (text: string) => void): () => void
  /**
   * Resolves when no session has a lease and the last job's completion is stored. With `sessionId`, waits only for
   * this session, which takes no longer in a large database.
   */
  rest(sessionId?: string): Promise<void>
}

/** Starts an engine on the database at `url`, with the agents `bench`, `hooked` and `parallel`. */
export async function openStage(url: string): Promise<Stage> {
  await migrate(url)
  await seed(url, { local: false, url: 'http://localhost' })
  const sql = connect(url, { max: 12 })
  const live = connect(url, { max: 6 })
  const bus = await postgresPubSub(live)
  const tail = new Subscriber(live, bus)
  const egress = parseEgressPolicy('', { origins: [] })
  const model = instantModel(tool)
  const runners: Runner[] = []
  const ports: Ports = {
    notify: tail.notify,
    cancel: (sessionKey, turnId) => runners[0]?.cancel(sessionKey, turnId),
    follow: (sessionKey, after, signal) => tail.follow(sessionKey, after, signal),
    origin: 'http://localhost',
    vault: vaultWith([Buffer.alloc(32).toString('base64')]),
    fetch: withSlow((url, init) => safeFetch(egress, url, init)),
    integrations: [],
    isConnected: async () => false,
    notifyWebhooks: notifyWebhooks,
    enforceRateLimit: async () => undefined,
    acquireSlot: () => () => undefined,
    schemas: trustingSchemas,
    patterns: { find: async () => null, errorsOf: async patterns => patterns.map(() => null) },
    wikis: async () => ({ kind: 'busy' }),
    ...featurePorts(),
    fileLimits: { bytes: 0, perMessage: 0, sessionBytes: 0, promptBytes: 0 },
    modelsOf: () => Promise.reject(new Error('The benchmark has its own model.')),
    describeModelError: error => describeModelError(error),
    acceptedFiles: async () => ({ images: false, documents: false }),
    knowsModel: async () => true,
    listedTools: [],
    listedPlugins: [],
    previewPrompt: () => Promise.reject(new Error('The benchmark shows no prompts.'))
  }
  const actor = {
    kind: 'key',
    keyId: 'bench',
    name: 'Bench',
    role: 'owner',
    workspaceId: 'default',
    outOfBand: fullTrust
  } as const
  const ctx = {
    actor,
    workspaceId: 'default',
    sql,
    db: builderOn(sql),
    ports,
    ...outsideTransaction
  }
  const services: TurnServices = {
    modelsOf: async () => ({
      model: () => model,
      settingsOf: () => ({}),
      nameOf: spec => spec,
      price: () => 0,
      describeError: error => describeModelError(error)
    }),
    describeError: error => describeModelError(error),
    describeFinish: problemOfFinish,
    plugins: tenPlugins,
    summaryMs: 60_000
  }
  const runner = new Runner(ctx, bus, turnHost(services, ports), { live })
  runners.push(runner)
  await runner.start()
  ports.claim = runner.claimInTransaction

  let wakeWatchers: { called: (at: number) => void; claimed: (at: number) => void }[] = []
  const handlers = jobs(ctx, runner)
  const wake = async ({ sessionKey }: { sessionKey: number }) => {
    const waiting = wakeWatchers
    wakeWatchers = []
    for (const { called } of waiting) called(now())
    await runner.wake(sessionKey)
    for (const { claimed } of waiting) claimed(now())
  }
  const worker = await startWorker(url, { ...handlers, wake }, minuteJobs(ctx), runner.isFull)

  const chats = {
    bench: {},
    hooked: { plugins: [...tenPlugins.keys()].map(name => ({ name })) },
    parallel: { tools: [{ name: 'web-fetch' }], toolSettings: { concurrency: 20 } }
  }
  for (const [agentId, chat] of Object.entries(chats)) {
    const agent = AgentConfig.parse({
      agentId,
      displayName: 'Bench',
      chat: { tools: [{ name: tool }], limits: { stepsPerTurn: 1000 }, ...chat }
    })
    await sql`insert into agents (workspace_id, id, config) values ('default', ${agentId}, ${agent}::jsonb)`
  }
  return {
    ctx,
    otherProcess: { ...ctx, ports: { ...ports, claim: undefined } },
    sql,
    model,
    nextWake() {
      const called = Promise.withResolvers<number>()
      const taken = Promise.withResolvers<number>()
      wakeWatchers.push({ called: called.resolve, claimed: taken.resolve })
      return { called: called.promise, claimed: taken.promise }
    },
    session: async (agentId = 'bench') => (await createSession(ctx, { agentId })).sessionId,
    async openCall(sessionId) {
      const [call] = await sql<{ id: string }[]>`
        select tool_call_id as id from calls c join sessions s on s.key = c.session_key
        where s.id = ${sessionId} and c.state = 'open'`
      if (call === undefined) throw new Error('The session has no open call.')
      return call.id
    },
    onStatement(listener) {
      const pools = [sql, live].map(({ options }) => options as { debug: unknown })
      for (const options of pools) options.debug = (_: number, text: string) => listener(text)
      return () => {
        for (const options of pools) options.debug = false
      }
    },
    async rest(sessionId) {
      for (;;) {
        const [busy] =
          sessionId === undefined
            ? await sql`
                select from heads where owner is not null or turn_id is not null
                union all select from graphile_worker._private_jobs where run_at <= now() limit 1`
            : await sql`
                select from heads h join sessions s on s.key = h.session_key
                where s.id = ${sessionId} and (h.owner is not null or h.turn_id is not null)`
        if (busy === undefined) return
        await pause(pollMs)
      }
    },
    async [Symbol.asyncDispose]() {
      await runner.stop()
      await worker.stop()
      tail.stop()
      await bus.stop()
      await Promise.all([sql.end({ timeout: 2 }), live.end({ timeout: 2 })])
    }
  }
}
