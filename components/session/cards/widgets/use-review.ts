import { faultOf, useRead } from '#components/browser/queries.tsx'
import { useDebounced } from '#components/browser/use-debounced.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'

/** How long the user must pause before the server is asked, in milliseconds. */
const pause = 300

/**
 * Returns the server's review of an edited proposal: its changes, or why it cannot be published. Undefined
 * while it loads, or without a proposal.
 */
export function useReview(toolCallId: string, proposal: unknown) {
  const { store } = useSessionContext()
  const json = proposal === undefined ? undefined : JSON.stringify(proposal)
  const settled = useDebounced(json, pause)
  const query = useRead({
    queryKey: ['review', store.path, toolCallId, settled],
    queryFn: () =>
      store.client.call('reviewProposal', {
        path: { ...store.path, toolCallId },
        body: { input: JSON.parse(settled ?? '') }
      }),
    enabled: json !== undefined && settled === json
  })
  if (settled !== json || query.isPending) return undefined
  return { comparison: query.data, fault: faultOf(query) }
}
