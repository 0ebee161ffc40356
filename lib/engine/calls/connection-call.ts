import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { invalid } from '#lib/kernel/refusal.ts'
import { ConnectHint, ConnectResult } from '#lib/protocol/connection/connection.ts'
import { accountOfCall } from './account-of-call.ts'
import type { CallRow } from './call-row.ts'
import type { Settlement } from './settle.ts'

/**
 * The outcome of a request for an account. `words` is the provider's text, which only people see. The model
 * receives only the reason.
 */
export type ConnectOutcome = { connected: true } | { connected: false; reason: string; words?: string }

type Settled = Pick<Settlement, 'state' | 'result' | 'reason'>

/** Returns the account that a call is waiting for. */
export function connectionOf({ render, input }: Pick<CallRow, 'render' | 'input'>): ConnectHint {
  const hint = ConnectHint.safeParse(render)
  if (hint.success) return hint.data
  const { integration = '', slug = integration } = input as { integration?: string; slug?: string }
  return { kind: 'connect', integration, slug, service: integration, modes: [] }
}

/**
 * Returns the settlement of a call that asked for an account (002-10, 002-11). The output is exactly
 * `{connected, integration, slug}` and, if the account is not connected, `reason`. A server tool that was
 * suspended for lack of an account now runs, or fails as not run.
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
          ...reasonOf(outcome)
        }
  const value: ConnectResult = outcome.connected
    ? { connected: true, integration, slug }
    : { connected: false, integration, slug, reason: outcome.reason }
  const isDeclined = !outcome.connected && outcome.reason === 'declined'
  return {
    state: isDeclined ? 'declined' : 'answered',
    result: { type: 'output', value },
    ...reasonOf(outcome)
  }
}

/**
 * Returns the settlement for a client's answer to a connection call. If the client reports "connected", this
 * checks the stored connection for this session first (002d). Without one, the model receives `not_active`.
 */
export async function saidOfConnection(
  tx: Ctx,
  session: LockedSession,
  call: CallRow,
  output: unknown
): Promise<Settled> {
  const parsed = ConnectResult.pick({ connected: true, reason: true }).safeParse(output)
  if (!parsed.success)
    throw invalid('Send {"output": {"connected": true}}, or false with a reason. The call is still open.', {
      connected: 'must be true or false'
    })
  if (!parsed.data.connected)
    return connectSettlement(call, { connected: false, reason: parsed.data.reason ?? 'cancelled' })
  const isActive = await tx.ports.isConnected(
    tx,
    { ...session, account: accountOfCall(call) },
    connectionOf(call)
  )
  return connectSettlement(call, isActive ? { connected: true } : { connected: false, reason: 'not_active' })
}

const reasonOf = (outcome: ConnectOutcome) =>
  outcome.connected || outcome.words === undefined ? {} : { reason: outcome.words.slice(0, 4000) }
