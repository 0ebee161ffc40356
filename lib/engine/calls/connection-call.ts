import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { invalid } from '#lib/kernel/refusal.ts'
import { ConnectHint, ConnectResult } from '#lib/protocol/connection/connection.ts'
import { accountOfCall } from './account-of-call.ts'
import type { CallRow } from './call-row.ts'
import type { Settlement } from './settle.ts'

/** What came of asking for an account. `words`: what the provider said, for people; the model is told the reason alone. */
export type ConnectOutcome = { connected: true } | { connected: false; reason: string; words?: string }

type Settled = Pick<Settlement, 'state' | 'result' | 'reason'>

/** Which account a call waits for. */
export function connectionOf({ render, input }: Pick<CallRow, 'render' | 'input'>): ConnectHint {
  const hint = ConnectHint.safeParse(render)
  if (hint.success) return hint.data
  const { integration = '', slug = integration } = input as { integration?: string; slug?: string }
  return { kind: 'connect', integration, slug, service: integration, modes: [] }
}

/**
 * What a call comes to that asked for an account (002-10, 002-11): exactly `{connected, integration, slug}` and, where it is
 * not connected, `reason`. A tool of ours that only lacked one runs now, or is told that it did not.
 */
export function connectSettlement(
  call: Pick<CallRow, 'render' | 'input' | 'where'>,
  outcome: ConnectOutcome
): Settled {
  const { integration, slug, service } = connectionOf(call)
  if (call.where === 'server')
    return outcome.connected
      ? { state: 'approved', result: null }
      : {
          state: outcome.reason === 'declined' ? 'declined' : 'failed',
          result: { type: 'error', text: `Not run: ${service} is not connected (${outcome.reason}).` },
          ...wordsOf(outcome)
        }
  const value: ConnectResult = outcome.connected
    ? { connected: true, integration, slug }
    : { connected: false, integration, slug, reason: outcome.reason }
  const isDeclined = !outcome.connected && outcome.reason === 'declined'
  return {
    state: isDeclined ? 'declined' : 'answered',
    result: { type: 'output', value },
    ...wordsOf(outcome)
  }
}

/**
 * What a client says of it. That it is connected is held against what is kept here, for this session and this moment, before
 * the model is told (002d): else it is told `not_active`.
 */
export async function saidOfConnection(
  tx: Ctx,
  head: LockedSession,
  call: CallRow,
  output: unknown
): Promise<Settled> {
  const said = ConnectResult.pick({ connected: true, reason: true }).safeParse(output)
  if (!said.success)
    throw invalid('Send {"output": {"connected": true}}, or false with a reason. The call is still open.', {
      connected: 'must be true or false'
    })
  if (!said.data.connected)
    return connectSettlement(call, { connected: false, reason: said.data.reason ?? 'cancelled' })
  const isActive = await tx.ports.isConnected(
    tx,
    { ...head, account: accountOfCall(call) },
    connectionOf(call)
  )
  return connectSettlement(call, isActive ? { connected: true } : { connected: false, reason: 'not_active' })
}

const wordsOf = (outcome: ConnectOutcome) =>
  outcome.connected || outcome.words === undefined ? {} : { reason: outcome.words.slice(0, 4000) }
