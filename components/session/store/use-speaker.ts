'use client'
import type { Speaker } from '@waystation/protocol/agent/hand-off.ts'
import { useSessionContext, useSessionState } from './session-context.ts'

/** Who speaks in this session: its own agent, or the one that it was handed to (`isOther`). */
export function useSpeaker(): Speaker & { isOther: boolean } {
  const { agent } = useSessionContext()
  const other = useSessionState(({ transcript }) => transcript.speaker)
  const { agentId, displayName } = other ?? agent
  return { agentId, displayName, isOther: other !== undefined }
}
