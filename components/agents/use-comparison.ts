'use client'
import type { Comparison } from '@waystation/protocol/agent/comparison.ts'
import { useEffect, useState } from 'react'
import { client } from '#components/browser/client.ts'
import { readError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'

const stateOf = (name: string): number | 'draft' => (name === 'draft' ? name : Number(name))

/**
 * Loads the differences between two states of an agent: revisions, or its `draft`. A new `version` of the
 * draft loads them again. Loads nothing if `between` is undefined.
 */
export function useComparison(
  agentId: string,
  between: { from: string; to: string } | undefined,
  version?: number
): { comparison?: Comparison; fault?: string } {
  const key = between === undefined ? undefined : `${between.from} ${between.to}`
  const [answer, setAnswer] = useState<{ key: string; comparison?: Comparison; fault?: string }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version of the draft has the same URL
  useEffect(() => {
    if (between === undefined || key === undefined) return
    let stays = true
    const query = { from: stateOf(between.from), to: stateOf(between.to) }
    const request = client.call('compareAgentRevisions', { path: { agentId }, query })
    void replyTo(request).then(reply => {
      if (stays) setAnswer({ key, ...(reply.ok ? { comparison: reply.body } : { fault: readError(reply) }) })
    })
    return () => {
      stays = false
    }
  }, [agentId, key, version])
  return answer !== undefined && answer.key === key ? answer : {}
}
