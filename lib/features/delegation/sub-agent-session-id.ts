import { digestOf } from '@waystation/base/digest.ts'

/**
 * Returns the ID of a sub-agent's session. It depends only on the call, so it is known before the session exists, and
 * a call has at most one session.
 */
export const subAgentSessionId = (call: {
  sessionKey: number
  generation: number
  toolCallId: string
}): string => `sub_${digestOf([call.sessionKey, call.generation, call.toolCallId]).slice(0, 24)}`
