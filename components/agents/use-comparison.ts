'use client'
import type { Comparison } from '@waystation/protocol/agent/agent-revision.ts'
import { useEffect, useState } from 'react'
import { readError } from '#components/browser/error-text.ts'
import { httpTo } from '#components/browser/http.ts'
import { agentPath } from './opened-agent.ts'

/** What is different between two states of an agent (a revision, or `draft` in its `version`), as soon as the server says so. */
export function useComparison(
  agentId: string,
  between: { from: string; to: string } | undefined,
  version?: number
): { comparison?: Comparison; fault?: string } {
  const query = between === undefined ? undefined : `from=${between.from}&to=${between.to}`
  const [answer, setAnswer] = useState<{ query: string; comparison?: Comparison; fault?: string }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version of the draft is asked for by the same name
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
