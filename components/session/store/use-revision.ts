import type { Transcript } from '@waystation/protocol/session/fold.ts'
import { useSessionContext, useSessionState } from './session-context.ts'

/**
 * Returns the revision that this session's next step runs on, as far as the page knows: the pinned one, or
 * the newest known published one. The session's messages can report a newer revision than the page was opened
 * with.
 */
export function useRevision(): { revision: number | undefined; pinned: boolean } {
  const { agent } = useSessionContext()
  const pinned = useSessionState(({ transcript }) => transcript.pinnedRevision)
  const newest = useSessionState(({ transcript }) => newestIn(transcript, agent.agentId))
  if (pinned !== undefined) return { revision: pinned, pinned: true }
  return { revision: highestOf(agent.published ?? agent.revision, newest), pinned: false }
}

/**
 * Returns the newest revision in the messages: the one that a step ran on, or one that the agent committed
 * itself.
 */
function newestIn({ messages }: Transcript, agentId: string): number | undefined {
  for (const { message } of messages.toReversed()) {
    const committed = message.parts.findLast(part => part.type === 'data-committed-revision')
    // A step of another agent reports that agent's revision.
    const own = message.metadata?.agentId === undefined || message.metadata.agentId === agentId
    const found = highestOf(committed?.data.version, own ? message.metadata?.revision : undefined)
    if (found !== undefined) return found
  }
  return undefined
}

function highestOf(...revisions: (number | undefined)[]): number | undefined {
  const known = revisions.filter(revision => revision !== undefined)
  return known.length === 0 ? undefined : Math.max(...known)
}
