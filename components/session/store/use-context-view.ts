'use client'
import type { ContextView } from '@waystation/protocol/session/context.ts'
import { useEffect, useState } from 'react'
import { readError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useSessionContext, useSessionState } from './session-context.ts'

/**
 * Returns the context window from the server. Reloads it when a step, an answer or a message can have changed
 * it. `shown` is the number of newest entries to return (default: 50).
 */
export function useContextView({ shown }: { shown?: number } = {}): {
  view: ContextView | undefined
  problem: string | undefined
} {
  const { store } = useSessionContext()
  const changes = useSessionState(({ transcript: { status, messages, calls } }) => {
    const settled = Object.values(calls).filter(call => call.settledAt !== undefined).length
    return `${status} ${messages.length} ${settled}`
  })
  const [view, setView] = useState<ContextView>()
  const [problem, setProblem] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `changes` triggers the reload
  useEffect(() => {
    let gone = false
    const request = store.client.call('getContext', { path: store.path, query: { shown } })
    void replyTo(request).then(reply => {
      if (gone) return
      if (reply.ok) setView(reply.body)
      setProblem(reply.ok ? undefined : readError(reply))
    })
    return () => {
      gone = true
    }
  }, [store, shown, changes])
  return { view, problem }
}
