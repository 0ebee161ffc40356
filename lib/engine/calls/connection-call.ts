import { ConnectHint } from '@waystation/protocol/connection/connect-hint.ts'
import type { ConnectResult } from '@waystation/protocol/connection/connection.ts'
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

const reasonOf = (outcome: ConnectOutcome) =>
  outcome.connected || outcome.words === undefined ? {} : { reason: outcome.words.slice(0, 4000) }
