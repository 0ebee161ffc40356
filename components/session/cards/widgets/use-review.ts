'use client'
import type { Comparison } from '@waystation/protocol/agent/comparison.ts'
import { useEffect, useState } from 'react'
import { readError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'

/** The server's review of a proposal: its changes, or why it cannot be published. */
export type Review = { comparison?: Comparison; fault?: string }

/** How long the user must pause before the server is asked, in milliseconds. */
const pause = 300

/** Returns the server's review of an edited proposal. Undefined while it loads, or without a proposal. */
export function useReview(toolCallId: string, proposal: unknown): Review | undefined {
  const { store } = useSessionContext()
  const [said, setSaid] = useState<{ of: string; review: Review }>()
  const json = proposal === undefined ? undefined : JSON.stringify(proposal)
  useEffect(() => {
    if (json === undefined) return
    let wanted = true
    const path = { ...store.path, toolCallId }
    const timer = setTimeout(async () => {
      const body = { input: JSON.parse(json) }
      const reply = await replyTo(store.client.call('reviewProposal', { path, body }))
      const review = reply.ok ? { comparison: reply.body } : { fault: readError(reply) }
      if (wanted) setSaid({ of: json, review })
    }, pause)
    return () => {
      wanted = false
      clearTimeout(timer)
    }
  }, [json, store, toolCallId])
  return said?.of === json ? said?.review : undefined
}
