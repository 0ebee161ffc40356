import { client } from '#components/browser/client.ts'
import { faultOf, useRead } from '#components/browser/queries.tsx'

const stateOf = (name: string): number | 'draft' => (name === 'draft' ? name : Number(name))

/**
 * Loads the differences between two states of an agent: revisions, or its `draft`. A new `version` of the
 * draft loads them again. Loads nothing if `between` is undefined.
 */
export function useComparison(
  agentId: string,
  between: { from: string; to: string } | undefined,
  version?: number
) {
  const { from = '', to = '' } = between ?? {}
  const query = { from: stateOf(from), to: stateOf(to) }
  const read = useRead({
    queryKey: ['comparison', agentId, from, to, version],
    queryFn: () => client.call('compareAgentRevisions', { path: { agentId }, query }),
    enabled: between !== undefined
  })
  return { comparison: read.data, fault: faultOf(read) }
}
