import type { Speaker } from '@waystation/protocol/agent/hand-off.ts'
import { useSessionContext, useSessionState } from './session-context.ts'

/**
 * Returns the agent that speaks in this session: its own agent, or another one after a handoff (`isOther`).
 * `external`: it receives the messages elsewhere.
 */
export function useSpeaker(): Omit<Speaker, 'external'> & { isOther: boolean; external: boolean } {
  const { agent } = useSessionContext()
  const other = useSessionState(({ transcript }) => transcript.speaker)
  const { agentId, displayName, external = false } = other ?? agent
  return { agentId, displayName, isOther: other !== undefined, external }
}
