import type { Health } from '@waystation/protocol/workspace/health.ts'
import type { Db, Sql } from '#db/client.ts'
import { type Actor, type Ctx, outsideTransaction, type Ports } from './ctx.ts'
import type { OpenStreams } from './ports/open-streams.ts'
import type { Env } from './settings/env.ts'
import type { Timing } from './timing.ts'

/**
 * Objects that exist once per process. `compose.ts` creates them when the server starts. HTTP handlers find them on
 * `globalThis`, because the server and Next's bundle load separate copies of a module
 * (docs/concepts/engine.md#processes-and-versions).
 */
export type Runtime = {
  sql: Sql
  db: Db
  env: Env
  timing: Timing
  ports: Ports
  /** The open streams. Each uses a slot, and its reader's access is checked while it is open. */
  streams: OpenStreams
  /**
   * The health of the process. `ok: false` becomes status 503. The body is public, so it has no secrets or addresses.
   */
  health: () => Promise<{ ok: boolean; body: Health }>
  /** Metrics for Prometheus: of the whole server, and of this process. */
  metrics: () => Promise<{ type: string; text: string }>
  /** When it was opened, as a `performance.now()` value. */
  openedAt: number
  /** Aborts when the server starts to stop. Streams then end with a retry hint. */
  closing: AbortSignal
}

const key = Symbol.for('waystation.runtime')
const globals = globalThis as { [key]?: Runtime }

/** Makes the runtime available in this process. */
export function openRuntime(runtime: Runtime): void {
  globals[key] = runtime
}

/** Returns the runtime of this process. Throws if the server has not started. */
export function runtime(): Runtime {
  const current = globals[key]
  if (current === undefined) throw new Error('The server has not started in this process.')
  return current
}

/** Returns a context for a caller, outside of any transaction. */
export function ctxFor(actor: Actor): Ctx {
  const { sql, db, ports } = runtime()
  return { actor, workspaceId: actor.workspaceId, sql, db, ports, ...outsideTransaction }
}
