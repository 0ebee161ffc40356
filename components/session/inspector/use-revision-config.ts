'use client'
import { useRead } from '#components/browser/queries.tsx'
import { useSessionContext } from '#components/session/store/session-context.ts'

/**
 * Returns the configuration of a revision of this session's agent, from the page or else from the server.
 * Returns undefined while it loads and if loading fails.
 */
export function useRevisionConfig(revision: number | undefined): unknown {
  const { agent, store } = useSessionContext()
  const { agentId } = agent
  const isGiven = revision === undefined || revision === agent.revision
  const { data } = useRead({
    queryKey: ['revision', agentId, revision],
    queryFn: () => store.client.call('getAgentRevision', { path: { agentId, revision: revision ?? 0 } }),
    enabled: !isGiven
  })
  if (isGiven) return agent.config
  return data?.config.type === 'chat' ? data.config.chat : data?.config.external
}
