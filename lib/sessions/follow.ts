import { sessionKeyOf } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import type { SessionEvent } from '#lib/protocol/session/event.ts'
import type { FollowEvents } from '#lib/protocol/session/session.ts'
import { snapshotOf } from './snapshot.ts'

/**
 * A session's events after a cursor, as they happen. Without a cursor: a `reset` with the session as it is now, then
 * what follows. A cursor that cannot be read on from (compacted, past retention, an earlier life, above the head)
 * gets a `reset` too; 0 always works. An end user is not told of deliveries: what other systems are, and said, is for
 * the workspace's people.
 */
export async function followSession(
  ctx: Ctx,
  input: FollowEvents,
  signal: AbortSignal
): Promise<AsyncIterable<SessionEvent>> {
  const sessionKey = await sessionKeyOf(ctx, input.sessionId)
  return follow(ctx, { sessionId: input.sessionId, sessionKey }, input.after, signal)
}

async function* follow(
  ctx: Ctx,
  { sessionId, sessionKey }: { sessionId: string; sessionKey: number },
  after: number | undefined,
  signal: AbortSignal
): AsyncGenerator<SessionEvent> {
  let cursor = after
  for (;;) {
    if (cursor === undefined) {
      const reset = await resetOf(ctx, sessionKey)
      cursor = reset.cursor
      yield reset
    }
    let again = false
    for await (const told of ctx.ports.follow(sessionKey, cursor, signal)) {
      if (told === 'reset') {
        again = true
        break
      }
      cursor = told.seq
      if (told.type !== 'delivery' || ctx.actor.kind !== 'subject') yield told
    }
    if (!again) return
    // Perhaps another life of this ID: a session token opens the one it was made for.
    if (ctx.actor.kind === 'subject' && !(await isThere(ctx, sessionId))) return
    cursor = undefined
  }
}

const isThere = (ctx: Ctx, sessionId: string): Promise<boolean> =>
  sessionKeyOf(ctx, sessionId).then(
    () => true,
    error => {
      if (error instanceof Refusal) return false
      throw error
    }
  )

async function resetOf(ctx: Ctx, sessionKey: number) {
  const snapshot = await snapshotOf(ctx, sessionKey)
  return { type: 'reset' as const, seq: snapshot.cursor, at: new Date().toISOString(), ...snapshot }
}
