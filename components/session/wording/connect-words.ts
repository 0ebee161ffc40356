import type { Call } from '@waystation/protocol/call/call.ts'
import { ConnectHint, type ConnectMode } from '@waystation/protocol/connection/connection.ts'

/** The ways to connect beside the first one, as their buttons say it. */
export const otherWay: Record<ConnectMode, string> = {
  oauth: 'Sign in instead',
  device: 'Use a code instead',
  api_key: 'Enter a token instead'
}

/** Which account a call asks for; what its row lacks is said by its tool. */
export function connectHintOf(call: Pick<Call, 'render' | 'toolName'>): Pick<ConnectHint, 'service' | 'why'> {
  const hint = ConnectHint.safeParse(call.render)
  return hint.success ? hint.data : { service: call.toolName }
}

/** Whether a settled call got the account that it asked for. */
export const isConnected = ({ output, where, state }: Call): boolean =>
  where === 'server'
    ? state === 'approved'
    : typeof output === 'object' && output !== null && 'connected' in output && output.connected === true

/** How a call that asked for an account ended (002-12): "GitHub connected", "Connection not completed"; undefined: it asked for none, or waits. */
export function connectionOutcome(call: Call): string | undefined {
  if (call.kind !== 'connection' || call.state === 'open' || call.state === 'cancelled') return undefined
  if (!isConnected(call)) return call.ranAt === undefined ? 'Connection not completed' : undefined
  const { service } = connectHintOf(call)
  if (call.where !== 'server') return `${service} connected`
  return call.ranAt === undefined ? `${service} connected, call running` : `${service} connected, call done`
}
