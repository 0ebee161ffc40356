import { OobPriority, OobSource } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { TurnOutcome } from '@waystation/protocol/session/event.ts'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { OobChange } from '#lib/kernel/ports/observer.ts'

/** The metrics that a process counts itself, from its start. */
export type Meters = ReturnType<typeof makeMeters>

const oobChanges: readonly OobChange[] = [
  'accepted',
  'held',
  'delivered',
  'acknowledged',
  'expired',
  'cancelled'
]

const globalKey = Symbol.for('waystation.meters')
const globals = globalThis as { [globalKey]?: Meters }

/**
 * Returns the one registry of this process, even if this module is loaded more than once
 * (docs/concepts/engine.md#processes).
 */
export function meters(): Meters {
  globals[globalKey] ??= makeMeters()
  return globals[globalKey]
}

function makeMeters() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const turns = new Counter({
    name: 'waystation_turns_total',
    help: 'Turns that ended in this process, by outcome',
    labelNames: ['outcome'],
    registers
  })
  const steps = new Counter({
    name: 'waystation_steps_total',
    help: 'Steps of this process: committed, or not committed (failed, interrupted or taken over)',
    labelNames: ['outcome'],
    registers
  })
  const outOfBand = new Counter({
    name: 'waystation_out_of_band_total',
    help: 'Changes of out-of-band messages that this process committed, by priority and source',
    labelNames: ['change', 'priority', 'source'],
    registers
  })
  // Export all outcomes from the start, because a rate needs an earlier value to compare with.
  for (const outcome of TurnOutcome.options) turns.inc({ outcome }, 0)
  for (const outcome of ['committed', 'not committed']) steps.inc({ outcome }, 0)
  for (const change of oobChanges)
    for (const priority of OobPriority.options)
      for (const source of OobSource.options) outOfBand.inc({ change, priority, source }, 0)
  return {
    registry,
    turns,
    steps,
    tokens: new Counter({
      name: 'waystation_model_tokens_total',
      help: 'Tokens of committed steps, as reported by the models',
      labelNames: ['direction'],
      registers
    }),
    tools: new Histogram({
      name: 'waystation_tool_run_seconds',
      help: 'Duration of server tool runs in this process',
      labelNames: ['tool', 'outcome'],
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300],
      registers
    }),
    settled: new Counter({
      name: 'waystation_calls_settled_total',
      help: 'Calls to people and other systems that were settled in this process',
      labelNames: ['kind', 'state'],
      registers
    }),
    claimDelay: new Histogram({
      name: 'waystation_wake_seconds',
      help: 'Time from new input until a worker of this process starts on it',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
      registers
    }),
    outOfBand,
    oobDelay: new Histogram({
      name: 'waystation_out_of_band_delivery_seconds',
      help: 'Time from sending an out-of-band message until its agent receives it',
      labelNames: ['priority'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 5, 30, 60, 300, 3600, 86_400],
      registers
    }),
    requests: new Histogram({
      name: 'waystation_http_request_seconds',
      help: 'Duration of HTTP requests, without event streams',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers
    }),
    open: new Gauge({
      name: 'waystation_http_requests_open',
      help: 'HTTP requests in progress, including event streams',
      labelNames: ['route'],
      registers
    })
  }
}
