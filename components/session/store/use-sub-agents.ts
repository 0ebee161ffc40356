import type { SubAgents } from '@waystation/protocol/agent/listed-sub-agent.ts'
import { useRead } from '#components/browser/queries.tsx'
import { useSessionContext, useSessionState } from './session-context.ts'

const none: SubAgents = { subAgents: [], waiting: [] }

/**
 * Returns the session's sub-agents and the pending calls below it. Reloads them when they change, and returns
 * the last known state meanwhile.
 */
export function useSubAgents(): SubAgents {
  const { store } = useSessionContext()
  const news = useSessionState(state => state.transcript.subAgents)
  const { data = none } = useRead({
    queryKey: ['sub-agents', store.path],
    queryFn: () => store.client.call('listSubAgents', { path: store.path }),
    enabled: news !== undefined && news.all > 0,
    version: [news]
  })
  return data
}
