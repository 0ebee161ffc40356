import { accountOfCall } from '#lib/engine/calls/account-of-call.ts'
import { claimCalls } from '#lib/engine/calls/claim.ts'
import type { PubSub } from '#lib/engine/log/pubsub/pubsub.ts'
import type { Lease } from '#lib/engine/log/session-lock.ts'
import type { ClaimedCall } from '#lib/engine/turn/turn.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { ToolLimits } from '#lib/protocol/call/tool-settings.ts'

/**
 * Claims the next calls that our code may run, as many as there is room for. `speakerId`: who speaks in the session now; calls
 * of another agent, which handed it over, run with that one's tools. `messageId`: where the calls are shown.
 */
export async function claimForTurn(
  ctx: Ctx,
  lease: Lease,
  running: number,
  { concurrency, batchTimeoutSeconds: batchSeconds }: ToolLimits,
  { agentId, speakerId }: { agentId: string; speakerId: string }
): Promise<{ calls: ClaimedCall[]; messageId: string | undefined }> {
  const room = concurrency - running
  const rows = room > 0 ? await claimCalls(ctx, lease, room) : []
  const calls = rows.map(row => ({
    toolCallId: row.toolCallId,
    toolName: row.toolName,
    input: row.editedInput ?? row.input,
    edited: row.editedInput !== null,
    ofOther: (row.agentId ?? agentId) !== speakerId,
    approved: row.state === 'approved',
    account: accountOfCall(row),
    elicited: row.elicited ?? [],
    waited: row.waited,
    batchSeconds
  }))
  return { calls, messageId: rows[0]?.messageId }
}

/** Resolves when something rang for this session, or when `until` aborts. */
export const rungFor = (bus: PubSub, { sessionKey }: Lease, until: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const stop = bus.subscribe(key => {
      if (key === null || key === sessionKey) done()
    })
    const done = () => {
      stop()
      until.removeEventListener('abort', done)
      resolve()
    }
    until.addEventListener('abort', done, { once: true })
  })
