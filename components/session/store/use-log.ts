import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import { useMemo } from 'react'
import { faultOf, useReadPages } from '#components/browser/queries.tsx'
import { useSessionContext, useSessionState } from './session-context.ts'

type Page = { events: readonly SessionEvent[] }

const pageSize = 200

/** Returns the log, newest event first: stored pages from the server, and the events that arrived since. */
export function useLog() {
  const { store } = useSessionContext()
  const recent = useSessionState(state => state.recent)
  const query = useReadPages({
    queryKey: ['log', store.path],
    queryFn: ({ pageParam }): Promise<Page> => {
      const query = { limit: pageSize, before: pageParam ?? undefined }
      return store.client.call('listLog', { path: store.path, query })
    },
    initialPageParam: null,
    getNextPageParam: ({ events }: Page): number | null =>
      events.length < pageSize ? null : (events.at(-1)?.seq ?? null)
  })
  const pages = query.data?.pages
  const events = useMemo(() => {
    const stored = pages?.flatMap(page => page.events) ?? []
    const bySeq = new Map([...stored, ...recent].map(event => [event.seq, event]))
    return [...bySeq.values()].sort((a, b) => b.seq - a.seq)
  }, [pages, recent])
  const loadMore = () => void query.fetchNextPage()
  return { events, more: query.hasNextPage, problem: faultOf(query), loadMore }
}
