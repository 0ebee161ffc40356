'use client'
import type { Transcript } from '@waystation/protocol/session/fold.ts'
import { useSessionContext, useSessionState } from './session-context.ts'

/**
 * The revision of its agent that this session's next step runs on, as far as the page knows: the pinned one; else the newest
 * that is known to be published, which what it did last may know better than the page does. `pinned`: it is pinned.
 */
export function useRevision(): { revision: number | undefined; pinned: boolean } {
  const { agent } = useSessionContext()
  const pinned = useSessionState(({ transcript }) => transcript.pinnedRevision)
  const newest = useSessionState(({ transcript }) => newestIn(transcript, agent.agentId))
  const published = agent.published ?? agent.revision
  if (pinned !== undefined) return { revision: pinned, pinned: true }
  const known = [published, newest].filter(revision => revision !== undefined)
  return { revision: known.length === 0 ? undefined : Math.max(...known), pinned: false }
}

/** The newest revision that its messages tell of: what a step ran on, or what the agent committed itself. */
function newestIn({ messages }: Transcript, agentId: string): number | undefined {
  for (const { message } of messages.toReversed()) {
    const committed = message.parts.findLast(part => part.type === 'data-committed-revision')
    // Of another agent's steps it says nothing of this one's.
    const own = message.metadata?.agentId === undefined || message.metadata.agentId === agentId
    const known = [committed?.data.version, own ? message.metadata?.revision : undefined].filter(
      one => one !== undefined
    )
    if (known.length > 0) return Math.max(...known)
  }
  return undefined
}
