'use client'
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
  const published = agent.published ?? agent.revision
  if (pinned !== undefined) return { revision: pinned, pinned: true }
  const known = [published, newest].filter(revision => revision !== undefined)
  return { revision: known.length === 0 ? undefined : Math.max(...known), pinned: false }
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
    const known = [committed?.data.version, own ? message.metadata?.revision : undefined].filter(
      one => one !== undefined
    )
    if (known.length > 0) return Math.max(...known)
  }
  return undefined
}
