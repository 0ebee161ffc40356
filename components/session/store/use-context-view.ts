'use client'
import type { ContextView } from '@waystation/protocol/session/context.ts'
import { useEffect, useState } from 'react'
import { readError } from '#components/browser/error-text.ts'
import { useSessionContext, useSessionState } from './session-context.ts'

/**
 * The prompt window as the server has it; read again whenever a step, an answer or a message may have changed it. `shown`:
 * how many of its entries; the newest 50 if nothing is said.
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
  const query = shown === undefined ? '' : `?shown=${shown}`
  const [view, setView] = useState<ContextView>()
  const [problem, setProblem] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `changes` says when there may be something new to read
  useEffect(() => {
    let gone = false
    void store.http<ContextView>('GET', `${store.path}/context${query}`).then(reply => {
      if (gone) return
      if (reply.ok) setView(reply.body)
      setProblem(reply.ok ? undefined : readError(reply))
    })
    return () => {
      gone = true
    }
  }, [store, query, changes])
  return { view, problem }
}
