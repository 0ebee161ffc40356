import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { cacheFor } from '@waystation/base/cache-for.ts'
import { log, logFrom } from '@waystation/base/log.ts'
import { parseEgressPolicy, safeFetch, streamingFetch } from '@waystation/egress'
import type { PluginHost } from '@waystation/plugin-host/contract.ts'
import { pluginHost } from '@waystation/plugin-host/host.ts'
import type { Health } from '@waystation/protocol/workspace/health.ts'
import {
  exposedPaths,
  exposureOf,
  programsWith,
  sandboxError,
  scriptError,
  scriptsWith
} from '@waystation/sandbox'
import { builderOn, connect, type Pool } from '#db/client.ts'
import { makeFileWorkspaces } from '#lib/auth/workspaces/make-file-workspaces.ts'
import type { TurnServices } from '#lib/compose/turn/turn-services.ts'
import { postgresPubSub } from '#lib/engine/log/pubsub/postgres.ts'
import type { PubSub } from '#lib/engine/log/pubsub/pubsub.ts'
import { Subscriber } from '#lib/engine/log/subscribe.ts'
import { deadAfterSeconds } from '#lib/engine/worker/lease.ts'
import { Runner } from '#lib/engine/worker/runner.ts'
import { fetchFor } from '#lib/features/connections/fetch-as.ts'
import { findConnection } from '#lib/features/connections/find.ts'
import { presets } from '#lib/features/connections/presets.ts'
import { openLimits } from '#lib/features/limits/open-limits.ts'
import { openStreamsWith } from '#lib/features/limits/open-streams.ts'
import { readSecrets } from '#lib/features/secrets/read-secrets.ts'
import { notifyWebhooks } from '#lib/features/webhooks/notify-webhooks.ts'
import { wikisIn } from '#lib/features/wikis/list-wikis.ts'
import { readAllowList } from '#lib/infra/allow-list.ts'
import { hiddenPaths } from '#lib/infra/hidden-paths.ts'
import { metricsOf } from '#lib/infra/observe/metrics.ts'
import { observerWith } from '#lib/infra/observe/observe.ts'
import { readFigures } from '#lib/infra/observe/read-figures.ts'
import type { resilientPool } from '#lib/infra/queue/resilient-pool.ts'
import { startWorker } from '#lib/infra/queue/worker.ts'
import { rateLimitsWith } from '#lib/infra/rate-limits.ts'
import { vaultWith } from '#lib/infra/vault.ts'
import { type Ctx, outsideTransaction, type Ports } from '#lib/kernel/ctx.ts'
import { setObserver } from '#lib/kernel/ports/observer.ts'
import { openRuntime } from '#lib/kernel/runtime.ts'
import type { Env } from '#lib/kernel/settings/env.ts'
import { loadRedaction } from '#lib/kernel/settings/load-redaction.ts'
import { defaultTiming, type Timing } from '#lib/kernel/timing.ts'
import { version } from '#lib/kernel/version.ts'
import { serverProviders } from '#lib/models/configured.ts'
import { problemOfFinish } from '#lib/models/finish-problem.ts'
import { keyPlaceOf } from '#lib/models/key-place.ts'
import { describeModelError } from '#lib/models/model-error.ts'
import { costOf } from '#lib/models/price.ts'
import { pluginModel, pluginOf } from '#lib/models/providers/plugin.ts'
import { modelReader } from '#lib/models/read-models.ts'
import { builtInPlugins } from '#lib/plugins/built-in/all.ts'
import { durationFilter } from '#lib/plugins/built-in/duration-filter.ts'
import { converse } from '#lib/plugins/converse.ts'
import { withCopies } from '#lib/plugins/copies/with-copies.ts'
import { loadPlugins, type Plugins } from '#lib/plugins/load-plugins.ts'
import { settingErrors } from '#lib/plugins/settings/validate-settings.ts'
import { parseManifest } from '#lib/plugins/workspace-files/parse-manifest.ts'
import { runPlugins } from '#lib/plugins/workspace-files/run-plugins.ts'
import { loadTools } from '#lib/tools/defined/load-tools.ts'
import { listedTools } from '#lib/tools/registry.ts'
import { watchPrograms } from './end-programs.ts'
import { featurePorts } from './extensions.ts'
import { jobs, minuteJobs } from './jobs.ts'
import { openReaders, type Readers } from './readers.ts'
import { loadSamples } from './samples.ts'
import { pluginSandbox } from './sandbox-plugin.ts'
import { toolsWith } from './tools.ts'
import { promptPreviewer } from './turn/preview-prompt.ts'
import { turnHost } from './turn/turn-host.ts'

/** Time limit of the database in a health check, in milliseconds. */
const healthMs = 2_000
/** How long the result of one health check is shared by all callers, in milliseconds. */
const healthSharedMs = 1_000

/** Time limit for reading the metrics of the whole server, in milliseconds. Slower ones are left out. */
const figuresMs = 5_000

/** Returns whether a lock was not available in time (SQLSTATE 55P03). */
const isLockTimeout = (error: unknown) => (error as { code?: string }).code === '55P03'

/** The running server of this process. */
export type RunningServer = {
  health(): Promise<Health>
  /**
   * Stops taking work, releases its sessions, ends streams and closes all resources. Repeated calls return the
   * same promise.
   */
  stop(): Promise<void>
}

/**
 * Parts that several servers in one process can share in tests: readers, which `stop` then leaves running, and
 * functions that open connections to Postgres.
 */
export type SharedResources = { readers?: Readers; connect?: typeof connect; jobPool?: typeof resilientPool }

/**
 * The composition root: creates everything that exists once per process, binds the ports and starts the jobs
 * (docs/architecture.md#folders). `timing` and `shared` are for tests. Throws if a setting is invalid.
 */
export async function composeServer(
  env: Env,
  timing: Timing = defaultTiming,
  shared: SharedResources = {}
): Promise<RunningServer> {
  if (env.databaseUrl === undefined)
    throw new Error('No database URL is set. The caller of composeServer must set it.')
  logFrom(env.logLevel)
  const redaction = env.redact === undefined ? undefined : await loadRedaction(env.redact)
  const builtIn = builtInPlugins(workspaceId => wikisIn(sql, workspaceId))
  const plugins = await loadPlugins(env.plugins, builtIn)
  const samples = env.local ? await loadSamples() : undefined
  const loaded = await loadTools(env.tools, toolsWith(samples?.acmeTools(fetchFor)), plugins.values(), {
    reload: env.development
  })
  const programs = env.mcpStdio === undefined ? undefined : await createPrograms(env, env.mcpStdio)
  const scripts = env.zx ? await createScripts(env) : undefined
  const tracer = await createTracer(env)
  setObserver(observerWith(tracer?.observer, env.traces === 'with words'))
  // With more concurrent transactions than the machine has cores for, each gets slower. With twice this many
  // connections, a hundred turns that start together would start and stream later.
  const openPool = shared.connect ?? connect
  const sql = openPool(env.databaseUrl, { max: Math.max(6, 3 * availableParallelism()) })
  // A separate pool, so that streamed text and heartbeats do not wait behind those transactions.
  const live = openPool(env.databaseUrl, { max: 6, name: 'waystation-live' })
  const bus = await createPubSub(env, live)
  const tail = new Subscriber(live, bus, timing)
  const closing = new AbortController()
  if (programs !== undefined) watchPrograms(sql, programs, closing.signal)
  const egress = parseEgressPolicy(env.egressAllow.join(','), { origins: env.local ? [env.url] : [] })

  const readers = shared.readers ?? openReaders()
  const { patterns, schemas, wikis } = readers
  const host = pluginHost({
    policy: egress,
    localFolder: env.pluginFolder,
    // A plugin sees its own folder, which is inside this one.
    sandbox: pluginSandbox(hiddenPaths({ ...env, pluginFolder: undefined })),
    platform: env.platformHost,
    readManifest: (name, manifest) => parseManifest(name, manifest, patterns),
    settingErrors: (fields, settings) => settingErrors(patterns, fields, settings),
    schemas,
    converse: ({ workspaceId, plugin, agentId }, conversation) =>
      converse(
        { ...ctx, workspaceId, actor: { kind: 'system', name: plugin, workspaceId } },
        agentId,
        conversation
      )
  })
  const modelsOf = modelReader(
    { providers: serverProviders(env.environment), defaultModel: env.defaultModel },
    streamingFetch(egress)
  )
  const services = turnServices(env, modelsOf, plugins, host)
  let runner: Runner | undefined
  const ports: Ports = {
    notify: tail.notify,
    cancel: (sessionKey, turnId) => runner?.cancel(sessionKey, turnId),
    follow: (sessionKey, after, signal) => tail.follow(sessionKey, after, signal),
    origin: env.url,
    vault: vaultWith(env.vaultKeys),
    fetch: (url, init) => safeFetch(egress, url, init),
    integrations: [...presets, ...(samples ? [samples.acmeIntegration(env.url, env.authSecret)] : [])],
    ...featurePorts(),
    get tools() {
      return loaded.tools
    },
    get listedTools() {
      return listedTools(ports)
    },
    // Agents cannot turn off the duration filter, so it is not listed.
    listedPlugins: [...plugins.values()]
      .filter(({ name }) => name !== durationFilter.name)
      .map(({ name, description, handlers }) => ({
        name,
        ...(description === undefined ? {} : { description }),
        ...(handlers === undefined
          ? {}
          : { handlers: Object.keys(handlers).map(handler => `${name}/${handler}`) })
      })),
    knowsModel: async (ctx, model) =>
      pluginOf(model) !== undefined || (await modelsOf(ctx)).providerOf(model) !== undefined,
    fileLimits: env.files,
    modelsOf,
    describeModelError: (error, models, spec) => describeModelError(error, keyPlaceOf(models, spec)),
    acceptedFiles: async (ctx, chat) => (await modelsOf(ctx)).acceptedFiles(chat.model, chat.attachments),
    isConnected: async (tx, sessionGeneration, request) =>
      (await findConnection(tx, sessionGeneration, request))?.state === 'active',
    redaction,
    notifyWebhooks: notifyWebhooks,
    enforceRateLimit: rateLimitsWith(sql, env.limits),
    acquireSlot: openLimits(env.maxConcurrent),
    previewPrompt: promptPreviewer(services),
    patterns,
    schemas,
    wikis,
    programs,
    scripts
  }
  const ctx: Ctx & { sql: Pool } = {
    actor: { kind: 'system', name: 'server', workspaceId: '' },
    workspaceId: '',
    sql,
    db: builderOn(sql),
    ports,
    ...outsideTransaction
  }
  const { copies, host: copiedHost } = withCopies(ctx, host, bus)
  ports.plugins = copiedHost
  const files = { folder: env.workspaces, environment: env.environment, secrets: () => readSecrets(ctx) }
  const workspaces = await runPlugins(ctx, files, host, copies, {
    builtIn: name => ports.tools.has(name),
    makeWorkspaces: files => makeFileWorkspaces(ctx, files)
  })
  let worker: Awaited<ReturnType<typeof startWorker>> | undefined
  if (env.role !== 'web') {
    const turns = turnHost(services, ports)
    runner = new Runner(ctx, bus, turns, { live, pace: timing })
    await runner.start()
    ports.claim = runner.claimInTransaction
    worker = await startWorker(
      env.databaseUrl,
      jobs(ctx, runner),
      minuteJobs(ctx),
      runner.isFull,
      timing,
      shared.jobPool
    )
    await runner.setJobPool(worker.poolId)
  }

  const health = cacheFor(healthSharedMs, async (): Promise<Health> => {
    const query = sql<{ alive: boolean }[]>`
      select exists (
        select from workers where heartbeat_at > clock_timestamp() - make_interval(secs => ${deadAfterSeconds})) as alive`
    const timeout = pause(healthMs, undefined, { ref: false }).then(() => 'late' as const)
    const [database, worker] = await Promise.race([query, timeout]).then(
      rows =>
        rows === 'late'
          ? (['does not answer', 'unknown'] as const)
          : (['ok', rows[0]?.alive ? 'ok' : 'none is running'] as const),
      error => [isLockTimeout(error) ? 'does not answer' : 'unreachable', 'unknown'] as const
    )
    return { status: worker === 'ok' ? 'ok' : 'unavailable', version, database, worker }
  })
  openRuntime({
    sql,
    db: ctx.db,
    env,
    timing: timing,
    ports,
    streams: openStreamsWith(ports.acquireSlot, timing.accessCheckMs),
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
      () => loaded.stop(),
      () => workspaces.stop(),
      () => copies.stop(),
      () => host.stop(),
      async () => tail.stop(),
      () => bus.stop(),
      () => sql.end({ timeout: 2 }),
      () => live.end({ timeout: 2 }),
      () => tracer?.stop()
    ]
    // Close each part even if the one before it failed, and report all errors at the end.
    const errors: unknown[] = []
    for (const part of parts) await Promise.resolve(part()).catch(error => errors.push(error))
    if (errors.length > 0) throw new AggregateError(errors, 'This process could not stop cleanly.')
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

/** Redis is loaded only if it is configured. */
async function createPubSub({ redisUrl }: Env, live: Pool): Promise<PubSub> {
  if (redisUrl === undefined) return postgresPubSub(live)
  const { redisPubSub: connectRedis } = await import('#lib/engine/log/pubsub/redis.ts')
  return connectRedis(redisUrl, live)
}

/** The tracing code is loaded only if traces are enabled. */
async function createTracer({ traces }: Env) {
  if (traces === 'off') return undefined
  const { startTracer } = await import('#lib/infra/observe/tracer.ts')
  return startTracer({ words: traces === 'with words', version })
}

/**
 * Creates the MCP programs. If sandboxes do not work on this machine, or would expose the server's files, only
 * the affected programs are turned off.
 */
async function createPrograms(env: Env, path: string) {
  const list = await readAllowList(path)
  const hidden = hiddenPaths(env)
  const sandboxed = [...list].filter(([, { sandbox }]) => sandbox)
  const error = sandboxed.length > 0 ? await sandboxError(hidden) : undefined
  if (error !== undefined)
    log('error', 'MCP programs are off, except those without a sandbox', { because: error })
  else
    for (const [name, program] of sandboxed) {
      const because = exposureOf(exposedPaths(program), hidden)
      if (because !== undefined) log('error', 'an MCP program is off', { program: name, because })
    }
  return programsWith(list, { error, hidden, version })
}

/**
 * Creates the scripts. If sandboxes do not work on this machine, only scripts are turned off. A process without
 * a worker runs no scripts, so it does not check.
 */
async function createScripts(env: Env) {
  const error = env.role === 'web' ? undefined : await scriptError(hiddenPaths(env))
  if (error !== undefined) log('error', 'scripts are off', { because: error })
  return scriptsWith({ error })
}

function turnServices(
  env: Env,
  modelsOf: Ports['modelsOf'],
  plugins: Plugins,
  host: PluginHost
): TurnServices {
  return {
    async modelsOf(ctx) {
      const models = await modelsOf(ctx)
      return {
        model(config, originOf) {
          const named = pluginOf(config.model)
          return named === undefined
            ? models.model(config.model)
            : pluginModel(named, host.of(ctx.workspaceId), originOf)
        },
        settingsOf: config => models.settingsOf(config.model, config.parameters),
        nameOf: models.nameOf,
        price: (config, usage) => costOf(models.nameOf(config.model), usage, config.price),
        describeError: (error, spec) => describeModelError(error, keyPlaceOf(models, spec))
      }
    },
    describeError: error => describeModelError(error),
    describeFinish: problemOfFinish,
    plugins,
    summaryMs: env.summarySeconds * 1000
  }
}
