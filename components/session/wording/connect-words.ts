import type { Call } from '@waystation/protocol/call/call.ts'
import { ConnectHint } from '@waystation/protocol/connection/connect-hint.ts'
import type { ConnectMode } from '@waystation/protocol/connection/connection.ts'
import { isJsonObject } from '@waystation/protocol/json-object.ts'

/** The button labels for the other ways to connect an account. */
export const otherWay: Record<ConnectMode, string> = {
  oauth: 'Sign in instead',
  device: 'Use a code instead',
  api_key: 'Enter a token instead'
}

/** Returns which account a call asks for. Without a render hint, the service is the tool's name. */
export function connectHintOf(
  call: Pick<Call, 'render' | 'toolName'>
): Pick<ConnectHint, 'service' | 'why' | 'connectedAt'> {
  return ConnectHint.safeParse(call.render).data ?? { service: call.toolName }
}

/** Returns the account that a call asks for: "Acme", or "Acme (acme-work)" if the account has a name of its own. */
export function accountName(call: Pick<Call, 'render' | 'toolName'>): string {
  const { data: hint } = ConnectHint.safeParse(call.render)
  if (hint === undefined) return call.toolName
  return hint.slug === hint.integration ? hint.service : `${hint.service} (${hint.slug})`
}

/** Tells whether a settled call got the account that it asked for. */
export const isConnected = ({ output, where, state }: Call): boolean =>
  where === 'server' ? state === 'approved' : isJsonObject(output) && output.connected === true

/** Tells whether a call ended without its account, which no user has connected since (002-12). */
export const lacksAccount = (call: Call): boolean =>
  call.kind === 'connection' &&
  call.state !== 'open' &&
  call.state !== 'cancelled' &&
  call.claimedAt === undefined &&
  !isConnected(call) &&
  connectHintOf(call).connectedAt === undefined

/**
 * Describes how a request for an account ended (002-12): "GitHub (work) connected", "Connection not completed".
 * Returns undefined for other calls, for open or canceled calls, and for calls that failed when they ran.
 */
export function connectionOutcome(call: Call): string | undefined {
  if (call.kind !== 'connection' || call.state === 'open' || call.state === 'cancelled') return undefined
  const account = accountName(call)
  if (!isConnected(call) && connectHintOf(call).connectedAt !== undefined) return `${account} connected later`
  if (!isConnected(call)) return call.ranAt === undefined ? 'Connection not completed' : undefined
  if (call.where !== 'server') return `${account} connected`
  return call.ranAt === undefined ? `${account} connected, call running` : `${account} connected, call done`
}
