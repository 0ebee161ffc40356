import { faultOf, useRead } from '#components/browser/queries.tsx'
import { useSessionContext, useSessionState } from './session-context.ts'

/**
 * Returns the context window from the server. Reloads it when a step, an answer or a message can have changed
 * it. `shown` is the number of newest entries to return (default: 50).
 */
export function useContextView({ shown }: { shown?: number } = {}) {
  const { store } = useSessionContext()
  const changes = useSessionState(({ transcript: { status, messages, calls } }) => {
    const settled = Object.values(calls).filter(call => call.settledAt !== undefined).length
    return `${status} ${messages.length} ${settled}`
  })
  const query = useRead({
    queryKey: ['context', store.path, shown],
    queryFn: () => store.client.call('getContext', { path: store.path, query: { shown } }),
    version: [changes]
  })
  return { view: query.data, problem: faultOf(query) }
}
