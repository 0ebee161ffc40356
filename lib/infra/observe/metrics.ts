import { log } from '@waystation/base/log.ts'
import { Gauge, Registry } from 'prom-client'
import { meters } from './meters.ts'
import type { Figures } from './read-figures.ts'

/** A response in Prometheus' text format 0.0.4. */
export type Metrics = { type: string; text: string }

/**
 * The shared metrics are read at most this often, in milliseconds, and reading takes at most a tenth of the
 * time.
 */
const freshMs = 5_000
const minIntervalFactor = 10

/**
 * Returns a function that exports the metrics of the whole server (from `read`) and those of this process.
 * Without a database, it exports only the latter.
 */
export function metricsOf(read: () => Promise<Figures>): () => Promise<Metrics> {
  let figures: Promise<Figures | undefined> | undefined
  let validUntil = 0
  const refresh = async () => {
    validUntil = Number.POSITIVE_INFINITY
    const startedAt = performance.now()
    const result = await read().catch(error => {
      log('warn', 'The metrics of the whole server could not be read.', { error })
      return undefined
    })
    const now = performance.now()
    validUntil = now + Math.max(freshMs, (now - startedAt) * minIntervalFactor)
    return result
  }
  return async () => {
    if (figures === undefined || performance.now() > validUntil) figures = refresh()
    const registry = figuresAsGauges(await figures)
    const [serverMetrics, processMetrics] = await Promise.all([
      registry.metrics(),
      meters().registry.metrics()
    ])
    return { type: registry.contentType, text: `${serverMetrics}\n${processMetrics}` }
  }
}

function figuresAsGauges(figures: Figures | undefined): Registry {
  const registry = new Registry()
  const gauge = (name: string, help: string, value: number) =>
    new Gauge({ name: `waystation_${name}`, help, registers: [registry] }).set(value)
  gauge(
    'database_up',
    '1 if the metrics of the whole server could be read, otherwise 0',
    figures === undefined ? 0 : 1
  )
  if (figures === undefined) return registry
  const calls = new Gauge({
    name: 'waystation_calls_open',
    help: 'Pending calls, by kind',
    labelNames: ['kind'],
    registers: [registry]
  })
  for (const kind of ['approval', 'question', 'connection', 'client', 'external', 'agent', 'limit'])
    calls.set({ kind }, 0)
  for (const { kind, count } of figures.openCalls) calls.set({ kind }, count)
  gauge(
    'call_oldest_seconds',
    'Age of the oldest pending call, 0 if there is none',
    figures.oldestCallSeconds ?? 0
  )
  gauge('sessions_owed', 'Sessions with work that no worker has taken', figures.owed)
  gauge(
    'wake_lag_seconds',
    'Longest time that a session with work has waited for a worker',
    figures.wakeLagSeconds
  )
  gauge('sessions_lost', 'Sessions whose worker died and that are not released yet', figures.lostOwners)
  gauge('turns_running', 'Turns that are running on a live worker', figures.turnsRunning)
  gauge('workers_alive', 'Worker processes with a recent heartbeat', figures.workersAlive)
  gauge('deliveries_pending', 'Pending deliveries', figures.deliveriesPending)
  gauge('deliveries_dead', 'Failed deliveries (dead letters)', figures.deadLetters)
  return registry
}
