import type { Db, Sql } from '#db/client.ts'
import type { Health } from '#lib/protocol/workspace/health.ts'
import type { Actor, Ctx, Ports } from './ctx.ts'
import type { OpenStreams } from './ports/open-streams.ts'
import type { Env } from './settings/env.ts'
import type { Timing } from './timing.ts'

/**
 * What is one per process. `compose.ts` builds it when the server starts; everything behind an HTTP door finds it on
 * `globalThis`, because the server and Next's bundle load separate copies of a module (docs/concepts/engine.md#processes).
 */
export type Runtime = {
  sql: Sql
  db: Db
  env: Env
  pace: Timing
  ports: Ports
  /** The streams that readers have open: each has a place, and its reader's access is checked while it is open. */
  streams: OpenStreams
  /** How the process is; `ok: false` is answered `503`. The body is public: no secrets, no addresses. */
  health: () => Promise<{ ok: boolean; body: Health }>
  /** What Prometheus is told: the whole server's figures and this process's. */
  metrics: () => Promise<{ type: string; text: string }>
  /** When it was opened, by `performance.now()`. */
  openedAt: number
  /** Aborts when the server begins to stop: streams end with a retry hint. */
  closing: AbortSignal
}

const place = Symbol.for('waystation.runtime')
const here = globalThis as { [place]?: Runtime }

export function openRuntime(runtime: Runtime): void {
  here[place] = runtime
}

/** What is one per process. Throws before the server has composed it. */
export function runtime(): Runtime {
  const open = here[place]
  if (open === undefined) throw new Error('The server has not started in this process.')
  return open
}

/** A verb's context for one caller, outside of any transaction. */
export function ctxFor(actor: Actor): Ctx {
  const { sql, db, ports } = runtime()
  return { actor, workspaceId: actor.workspaceId, sql, db, ports, afterCommit: work => work() }
}
