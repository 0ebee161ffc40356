import { revisionName } from '#components/session/wording/revision-name.ts'
import { useSessionContext } from './session-context.ts'
import { useRevision } from './use-revision.ts'
import { useSpeaker } from './use-speaker.ts'

/** Returns the name of the agent with its revision, or after a handoff both agents. */
export function useAgentName(): string {
  const { agent, can } = useSessionContext()
  const { revision, pinned } = useRevision()
  const speaker = useSpeaker()
  if (speaker.isOther) return `${agent.displayName} → ${speaker.displayName}`
  if (!can.members || revision === undefined) return agent.displayName
  return `${agent.displayName} @ ${revisionName(revision)}${pinned && revision > 0 ? ' pinned' : ''}`
}
