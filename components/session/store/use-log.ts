'use client'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { readError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useSessionContext, useSessionState } from './session-context.ts'

const pageSize = 200

/** Returns the log, newest event first: stored pages from the server, and the events that arrived since. */
export function useLog(): {
  events: readonly SessionEvent[]
  more: boolean
  problem: string | undefined
  loadMore: () => void
} {
  const { store } = useSessionContext()
  const recent = useSessionState(state => state.recent)
  const [stored, setStored] = useState<readonly SessionEvent[]>([])
  const [more, setMore] = useState(false)
  const [problem, setProblem] = useState<string>()

  const load = useCallback(
    async (before?: number) => {
      const query = { limit: pageSize, before }
      const reply = await replyTo(store.client.call('listLog', { path: store.path, query }))
      if (!reply.ok) return setProblem(readError(reply))
      setProblem(undefined)
      setStored(known => [...known, ...reply.body.events])
      setMore(reply.body.events.length === pageSize)
    },
    [store]
  )
  useEffect(() => void load(), [load])

  const events = useMemo(() => {
    const bySeq = new Map([...stored, ...recent].map(event => [event.seq, event]))
    return [...bySeq.values()].sort((a, b) => b.seq - a.seq)
  }, [stored, recent])
  return { events, more, problem, loadMore: () => void load(events.at(-1)?.seq) }
}
