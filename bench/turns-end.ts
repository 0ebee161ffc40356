import { now } from './machine.ts'
import type { Stage } from './stage.ts'

/** Returns a session's key and the sequence number of its newest event. */
export async function newestEvent(stage: Stage, sessionId: string): Promise<{ key: number; seq: number }> {
  const [session] = await stage.sql<{ key: number; seq: number }[]>`
    select key, seq from sessions join heads on session_key = key where id = ${sessionId}`
  if (session === undefined) throw new Error(`There is no session ${sessionId}.`)
  return session
}

/** Follows a session from an event on. Resolves with the time at which the end of its turn arrived. */
export async function turnsEnd(stage: Stage, { key, seq }: { key: number; seq: number }): Promise<number> {
  for await (const event of stage.ctx.ports.follow(key, seq, new AbortController().signal)) {
    if (event !== 'reset' && event.type === 'status' && event.outcome !== undefined) return now()
  }
  throw new Error('The session went quiet before its turn had ended.')
}
