'use client'
import type { Comparison } from '@waystation/protocol/agent/comparison.ts'
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
): { comparison: Comparison | undefined; fault: string | undefined } {
  const { from = '', to = '' } = between ?? {}
  const query = useRead({
    queryKey: ['comparison', agentId, from, to, version],
    queryFn: () =>
      client.call('compareAgentRevisions', {
        path: { agentId },
        query: { from: stateOf(from), to: stateOf(to) }
      }),
    enabled: between !== undefined
  })
  return { comparison: query.data, fault: faultOf(query) }
}
