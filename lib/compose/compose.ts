import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { builderOn, connect, type Pool } from '#db/client.ts'
import { postgresPubSub } from '#lib/engine/log/pubsub/postgres.ts'
import type { PubSub } from '#lib/engine/log/pubsub/pubsub.ts'
import { Subscriber } from '#lib/engine/log/subscribe.ts'
import { deadAfterSeconds } from '#lib/engine/worker/lease.ts'
import { Runner } from '#lib/engine/worker/runner.ts'
import { fetchFor } from '#lib/features/connections/fetch-as.ts'
import { findConnection } from '#lib/features/connections/find.ts'
import { presets } from '#lib/features/connections/presets.ts'
import { openStreamsWith } from '#lib/features/limits/open-streams.ts'
import { placesWith } from '#lib/features/limits/places.ts'
import { rateLimitsWith } from '#lib/features/limits/rate-limits.ts'
import { notifyWebhooks } from '#lib/features/webhooks/notify-webhooks.ts'
import { wikisIn } from '#lib/features/wikis/list-wikis.ts'
import { metricsOf } from '#lib/infra/observe/metrics.ts'
import { observerWith } from '#lib/infra/observe/observe.ts'
import { readFigures } from '#lib/infra/observe/read-figures.ts'
import type { lastingPool } from '#lib/infra/queue/lasting-pool.ts'
import { startWorker } from '#lib/infra/queue/worker.ts'
import { readAllowList } from '#lib/infra/sandbox/allow-list.ts'
import { exposureOf, hiddenPaths } from '#lib/infra/sandbox/hidden-paths.ts'
import { programsWith } from '#lib/infra/sandbox/open-programs.ts'
import { scriptFault, scriptsWith } from '#lib/infra/sandbox/open-scripts.ts'
import { boundBy, sandboxFault } from '#lib/infra/sandbox/sandbox.ts'
import { vaultWith } from '#lib/infra/vault.ts'
import type { Ctx, Ports } from '#lib/kernel/ctx.ts'
import { log, logFrom } from '#lib/kernel/log.ts'
import { watchWith } from '#lib/kernel/ports/observer.ts'
import type { PluginHost } from '#lib/kernel/ports/plugin-host.ts'
import { openRuntime } from '#lib/kernel/runtime.ts'
import type { Env } from '#lib/kernel/settings/env.ts'
import { loadRedaction } from '#lib/kernel/settings/load-redaction.ts'
import { sharedFor } from '#lib/kernel/shared-for.ts'
import { defaultTiming, type Timing } from '#lib/kernel/timing.ts'
import { version } from '#lib/kernel/version.ts'
import { problemOfFinish } from '#lib/models/finish-problem.ts'
import { describeModelError } from '#lib/models/model-error.ts'
import { costOf } from '#lib/models/price.ts'
import type { ModelSettings } from '#lib/models/provider.ts'
import { pluginModel, pluginOf } from '#lib/models/providers/plugin.ts'
import { modelFor, resolveModelSpec } from '#lib/models/registry.ts'
import { takenBy } from '#lib/models/takes.ts'
import { parseEgressPolicy } from '#lib/net/egress-policy.ts'
import { safeFetch } from '#lib/net/safe-fetch.ts'
import { builtInPlugins } from '#lib/plugins/built-in/all.ts'
import { durationFilter } from '#lib/plugins/built-in/duration-filter.ts'
import { converse } from '#lib/plugins/converse.ts'
import { pluginHost } from '#lib/plugins/grpc/host.ts'
import { loadPlugins, type Plugins } from '#lib/plugins/load-plugins.ts'
import { manifestOf } from '#lib/plugins/workspace-files/manifest-of.ts'
import { openWorkspaces } from '#lib/plugins/workspace-files/open-workspaces.ts'
import type { Health } from '#lib/protocol/workspace/health.ts'
import { listedTools } from '#lib/tools/registry.ts'
import { featurePorts } from './extensions.ts'
import { jobs, minuteJobs } from './jobs.ts'
import { openReaders, type Readers } from './readers.ts'
import { loadSamples } from './samples.ts'
import { type TurnServices, turnHost } from './turn/turn-host.ts'

/** A database that has not answered by then is not healthy: whoever asks wants to know it soon. Milliseconds. */
const healthMs = 2_000
/** How long one look at the database answers all who ask for this process's health. Milliseconds. */
const healthSharedMs = 1_000

/** Figures that take longer than this are left out. Milliseconds. */
const figuresMs = 5_000

/** A lock that was not to be had in time. */
const isLate = (error: unknown) => (error as { code?: string }).code === '55P03'

/** What is one per process, running. */
export type RunningServer = {
  health(): Promise<Health>
  /** Takes no more work, hands sessions over, ends streams, closes what was opened. Once, however often it is called. */
  stop(): Promise<void>
}

/** What several worlds of one process may share: readers that nobody stops, and pools of connections to Postgres. */
export type Shared = { readers?: Readers; connect?: typeof connect; jobPool?: typeof lastingPool }

/**
 * The composition root: the outside is built once, ports are bound, jobs find their verbs (docs/architecture.md#folders). `pace` and `shared` are
 * for tests.
 */
export async function composeServer(
  env: Env,
  pace: Timing = defaultTiming,
  shared: Shared = {}
): Promise<RunningServer> {
  if (env.databaseUrl === undefined)
    throw new Error('No database URL is set. The caller of composeServer must set it.')
  logFrom(env.logLevel)
  const redaction = env.redact === undefined ? undefined : await loadRedaction(env.redact)
  const own = builtInPlugins(workspaceId => wikisIn(sql, workspaceId))
  const plugins = await loadPlugins(env.plugins, own)
  const programs = env.mcpStdio === undefined ? undefined : await programsOf(env, env.mcpStdio)
  const scripts = env.zx ? await scriptsOf(env) : undefined
  const samples = env.local ? await loadSamples() : undefined
  const tracer = await tracerOf(env)
  watchWith(observerWith(tracer?.observer, env.traces === 'with words'))
  // More transactions at once than the machine has hands for make each slower: a hundred turns that begin together are
  // under way sooner, and what streams meanwhile comes sooner, than with twice as many.
  const open = shared.connect ?? connect
  const sql = open(env.databaseUrl, { max: Math.max(6, 3 * availableParallelism()) })
  // Words that stream and beats do not queue up behind those transactions.
  const live = open(env.databaseUrl, { max: 6, name: 'waystation-live' })
  const bus = await busOf(env, live)
  const tail = new Subscriber(live, bus, pace)
  const closing = new AbortController()
  const egress = parseEgressPolicy(env.egressAllow.join(','), { origins: env.local ? [env.url] : [] })

  const readers = shared.readers ?? openReaders()
  const { patterns, schemas, wikis } = readers
  const host = pluginHost({
    policy: egress,
    localFolder: env.pluginFolder,
    platform: env.platformHost,
    readManifest: (name, manifest) => manifestOf(name, manifest, patterns),
    schemas,
    converse: ({ workspaceId, plugin, agentId }, conversation) =>
      converse(
        { ...ctx, workspaceId, actor: { kind: 'system', name: plugin, workspaceId } },
        agentId,
        conversation
      )
  })
  let runner: Runner | undefined
  const ports: Ports = {
    notify: bus.publish,
    cancel: (sessionKey, turnId) => runner?.cancel(sessionKey, turnId),
    publish: tail.offer,
    follow: (sessionKey, after, signal) => tail.follow(sessionKey, after, signal),
    origin: env.url,
    vault: vaultWith(env.vaultKeys),
    fetch: (url, init) => safeFetch(egress, url, init),
    integrations: [...presets, ...(samples ? [samples.acmeIntegration(env.url, env.authSecret)] : [])],
    ...featurePorts(samples?.acmeTools(fetchFor)),
    get listedTools() {
      return listedTools(ports)
    },
    // An agent cannot switch the duration filter on or off.
    listedPlugins: [...plugins.values()]
      .filter(({ name }) => name !== durationFilter.name)
      .map(({ name, description }) => ({
        name,
        ...(description === undefined ? {} : { description })
      })),
    fileLimits: env.files,
    takenFiles: chat => takenBy(chat.model, modelSettingsOf(env), chat.attachments),
    isConnected: async (tx, life, asked) => (await findConnection(tx, life, asked))?.state === 'active',
    redaction,
    notifyWebhooks: notifyWebhooks,
    enforceRateLimit: rateLimitsWith(sql, env.limits),
    takePlace: placesWith(env.most),
    patterns,
    schemas,
    wikis,
    programs,
    scripts,
    plugins: host
  }
  const ctx: Ctx & { sql: Pool } = {
    actor: { kind: 'system', name: 'server', workspaceId: '' },
    workspaceId: '',
    sql,
    db: builderOn(sql),
    ports,
    afterCommit: work => work()
  }
  const workspaces =
    env.workspaces === undefined
      ? undefined
      : await openWorkspaces(ctx, env.workspaces, host, name => ports.tools.has(name))
  let worker: Awaited<ReturnType<typeof startWorker>> | undefined
  if (env.role !== 'web') {
    const turns = turnHost(servicesOf(env, plugins, host), ports.tools)
    runner = new Runner(ctx, bus, turns, { live, pace })
    await runner.start()
    ports.claim = runner.claimInTransaction
    worker = await startWorker(
      env.databaseUrl,
      jobs(ctx, runner, egress),
      minuteJobs(ctx),
      runner.full,
      pace,
      shared.jobPool
    )
    await runner.runsJobsOf(worker.poolId)
  }

  const health = sharedFor(healthSharedMs, async (): Promise<Health> => {
    const asked = sql<{ alive: boolean }[]>`
      select exists (
        select from workers where heartbeat_at > clock_timestamp() - make_interval(secs => ${deadAfterSeconds})) as alive`
    const late = pause(healthMs, undefined, { ref: false }).then(() => 'late' as const)
    const [database, worker] = await Promise.race([asked, late]).then(
      found =>
        found === 'late'
          ? (['does not answer', 'unknown'] as const)
          : (['ok', found[0]?.alive ? 'ok' : 'none is running'] as const),
      error => [isLate(error) ? 'does not answer' : 'unreachable', 'unknown'] as const
    )
    return { status: worker === 'ok' ? 'ok' : 'unavailable', version, database, worker }
  })
  openRuntime({
    sql,
    db: ctx.db,
    env,
    pace,
    ports,
    streams: openStreamsWith(ports.takePlace, pace.accessCheckMs),
    openedAt: performance.now(),
    closing: closing.signal,
    metrics: metricsOf(() => readFigures(live, deadAfterSeconds, figuresMs)),
    async health() {
      const body = await health()
      return { ok: body.status === 'ok', body }
    }
  })
  const stop = async () => {
    closing.abort()
    const parts = [
      () => runner?.stop(),
      () => worker?.stop(),
      () => (shared.readers === undefined ? readers.stop() : undefined),
      () => programs?.stop(),
      () => workspaces?.stop(),
      () => host.stop(),
      async () => tail.stop(),
      () => bus.stop(),
      () => sql.end({ timeout: 2 }),
      () => live.end({ timeout: 2 }),
      () => tracer?.stop()
    ]
    // Each is closed whatever became of the one before; what went wrong is told at the end.
    const faults: unknown[] = []
    for (const part of parts) await Promise.resolve(part()).catch(fault => faults.push(fault))
    if (faults.length > 0) throw new AggregateError(faults, 'This process could not stop cleanly.')
  }
  let stopped: Promise<void> | undefined
  return {
    health,
    stop() {
      stopped ??= stop()
      return stopped
    }
  }
}

/** Redis is code that nobody else loads. */
async function busOf({ redisUrl }: Env, live: Pool): Promise<PubSub> {
  if (redisUrl === undefined) return postgresPubSub(live)
  const { redisPubSub: redisBus } = await import('#lib/engine/log/pubsub/redis.ts')
  return redisBus(redisUrl, live)
}

/** Traces are code that nobody else loads. */
async function tracerOf({ traces }: Env) {
  if (traces === 'off') return undefined
  const { startTracer } = await import('#lib/infra/observe/tracer.ts')
  return startTracer({ words: traces === 'with words', version })
}

/** A sandbox that does not work here, or would show what is the server's, turns its programs off, and nothing else. */
async function programsOf(env: Env, path: string) {
  const list = await readAllowList(path)
  const hidden = hiddenPaths(env)
  const boxed = [...list].filter(([, { sandbox }]) => sandbox)
  const fault = boxed.length > 0 ? await sandboxFault(hidden) : undefined
  if (fault !== undefined)
    log('error', 'MCP programs are off, except those without a sandbox', { because: fault })
  else
    for (const [name, program] of boxed) {
      const because = exposureOf(boundBy(program), hidden)
      if (because !== undefined) log('error', 'an MCP program is off', { program: name, because })
    }
  return programsWith(list, { fault, hidden, version })
}

/** A sandbox that does not work here turns scripts off, and nothing else. Who runs none leaves it to those who do. */
async function scriptsOf(env: Env) {
  const fault = env.role === 'web' ? undefined : await scriptFault(hiddenPaths(env))
  if (fault !== undefined) log('error', 'scripts are off', { because: fault })
  return scriptsWith({ fault })
}

const modelSettingsOf = ({ openai }: Env): ModelSettings => ({
  openaiApiKey: openai?.apiKey,
  openaiBaseUrl: openai?.baseUrl,
  defaultModel: openai?.model
})

function servicesOf(env: Env, plugins: Plugins, host: PluginHost): TurnServices {
  const settings = modelSettingsOf(env)
  return {
    model(config, workspaceId) {
      const named = pluginOf(config.model)
      return named === undefined ? modelFor(config.model, settings) : pluginModel(named, host.of(workspaceId))
    },
    price: (config, usage) => costOf(resolveModelSpec(config.model, settings), usage, config.price),
    describeError: error => describeModelError(error),
    describeFinish: problemOfFinish,
    plugins,
    summaryMs: env.summarySeconds * 1000
  }
}
