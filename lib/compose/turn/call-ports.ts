import type { ToolLimits } from '@waystation/protocol/call/tool-settings.ts'
import type { ClaimedRow } from '#lib/engine/calls/claim.ts'
import type { PubSub } from '#lib/engine/log/pubsub/pubsub.ts'
import type { Lease } from '#lib/engine/log/session-lock.ts'
import type { ClaimedCall } from '#lib/engine/turn/turn.ts'
import { accountOfCall } from '#lib/features/connections/account-of-call.ts'

/**
 * Converts claimed rows to calls for the loop. `speakerId` is the agent that speaks now: calls of another agent
 * run with that agent's tools.
 */
export const claimedCalls = (
  rows: readonly ClaimedRow[],
  { batchTimeoutSeconds: batchSeconds }: ToolLimits,
  { agentId, speakerId }: { agentId: string; speakerId: string }
): ClaimedCall[] =>
  rows.map(row => ({
    toolCallId: row.toolCallId,
    toolName: row.toolName,
    input: row.editedInput ?? row.input,
    edited: row.editedInput !== null,
    byOtherAgent: (row.agentId ?? agentId) !== speakerId,
    approved: row.state === 'approved',
    account: accountOfCall(row),
    elicited: row.elicited ?? [],
    waitedSeconds: row.waitedSeconds,
    batchSeconds
  }))

/** Resolves when this session is notified or `until` aborts. Never rejects. */
export const untilNotified = (bus: PubSub, { sessionKey }: Lease, until: AbortSignal): Promise<void> =>
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
