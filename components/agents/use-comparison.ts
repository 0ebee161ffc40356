'use client'
import type { Comparison } from '@waystation/protocol/agent/comparison.ts'
import { useEffect, useState } from 'react'
import { readError } from '#components/browser/error-text.ts'
import { httpTo } from '#components/browser/http.ts'
import { agentPath } from './opened-agent.ts'

/**
 * Loads the differences between two states of an agent: revisions, or its `draft`. A new `version` of the
 * draft loads them again. Loads nothing if `between` is undefined.
 */
export function useComparison(
  agentId: string,
  between: { from: string; to: string } | undefined,
  version?: number
): { comparison?: Comparison; fault?: string } {
  const query = between === undefined ? undefined : `from=${between.from}&to=${between.to}`
  const [answer, setAnswer] = useState<{ query: string; comparison?: Comparison; fault?: string }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version of the draft has the same URL
  useEffect(() => {
    if (query === undefined) return
    let stays = true
    void httpTo('')<Comparison>('GET', `${agentPath(agentId)}/diff?${query}`).then(reply => {
      if (stays)
        setAnswer({ query, ...(reply.ok ? { comparison: reply.body } : { fault: readError(reply) }) })
    })
    return () => {
      stays = false
    }
  }, [agentId, query, version])
  return answer !== undefined && answer.query === query ? answer : {}
}
