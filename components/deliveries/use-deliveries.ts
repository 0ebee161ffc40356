import type { InfiniteData } from '@tanstack/react-query'
import type { Delivery, DeliveryPage } from '@waystation/protocol/external-agent/delivery.ts'
import { useCallback, useEffect, useState } from 'react'
import { client } from '#components/browser/client.ts'
import { readError } from '#components/browser/error-text.ts'
import { faultOf, useQueries, useRead, useReadPages } from '#components/browser/queries.tsx'
import { replyTo } from '#components/browser/reply.ts'
import type { Listed } from './delivery-row.tsx'
import type { Shown } from './filter.ts'

/**
 * Interval for reading pending deliveries again, in ms, and the maximum number of sessions to read each time.
 */
const pace = { ms: 2000, sessions: 5 }

/** Interval for reading the list again, in ms. Only the first page is read, not all that the user has opened. */
const listPace = 10_000

/**
 * Loads and filters the deliveries of the workspace. The list is read again at intervals, and when the window gets the
 * focus. After the user sent a delivery again, it stays as it is until the user selects a filter. The delivery thus
 * stays visible even if it no longer matches the filter. Pending ones are read again until they end.
 */
export function useDeliveries(first: DeliveryPage, shown: Shown) {
  const [state, setState] = useState(shown)
  const [refusal, setRefusal] = useState<string>()
  const [held, setHeld] = useState(false)
  const queries = useQueries()
  const query = useReadPages({
    queryKey: ['deliveries', state],
    queryFn: ({ pageParam: cursor }) =>
      client.call('listAllDeliveries', {
        query: { state: state === 'all' ? undefined : state, cursor: cursor ?? undefined }
      }),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }: DeliveryPage): string | null => nextCursor,
    first: state === shown ? first : undefined,
    placeholderData: previous => previous,
    refetchOnWindowFocus: !held,
    refetchInterval: ({ state: { data } }) => (held || (data?.pages.length ?? 0) > 1 ? false : listPace)
  })
  const deliveries = query.data?.pages.flatMap(page => page.deliveries) ?? []
  const change = useCallback(
    (changed: readonly Delivery[]) => {
      const news = new Map(changed.map(delivery => [delivery.id, delivery]))
      queries.setQueryData<InfiniteData<DeliveryPage>>(
        ['deliveries', state],
        known =>
          known && {
            ...known,
            pages: known.pages.map(page => ({
              ...page,
              deliveries: page.deliveries.map(one => ({ ...one, ...news.get(one.id), to: one.to }))
            }))
          }
      )
    },
    [queries, state]
  )
  useFollowed(deliveries, change)

  return {
    deliveries,
    state,
    hasMore: query.hasNextPage,
    busy: query.isLoading || query.isPlaceholderData || query.isFetchingNextPage,
    fault: refusal ?? faultOf(query),
    choose: (to: Shown) => {
      setState(to)
      setHeld(false)
      setRefusal(undefined)
      window.history.replaceState(
        null,
        '',
        to === 'all' ? '/activity/deliveries' : `/activity/deliveries?state=${to}`
      )
    },
    more: () => {
      setRefusal(undefined)
      void query.fetchNextPage()
    },
    repeat: async ({ sessionId, id }: Listed) => {
      const reply = await replyTo(client.call('redeliver', { path: { sessionId, deliveryId: id } }))
      setRefusal(reply.ok ? undefined : readError(reply))
      if (!reply.ok) return
      setHeld(true)
      change([reply.body])
    }
  }
}

/** Reads pending deliveries again, as long as there are any and the page is visible. */
function useFollowed(deliveries: readonly Listed[], change: (changed: readonly Delivery[]) => void) {
  const underWay = deliveries.filter(({ state }) => state === 'pending')
  const sessions = [...new Set(underWay.map(({ sessionId }) => sessionId))].slice(0, pace.sessions)
  const { data } = useRead({
    queryKey: ['deliveries of sessions', ...sessions],
    queryFn: async () => {
      const pages = sessions.map(sessionId => client.call('listDeliveries', { path: { sessionId } }))
      return (await Promise.all(pages)).flatMap(({ deliveries }) => deliveries)
    },
    enabled: sessions.length > 0,
    refetchInterval: pace.ms
  })
  useEffect(() => {
    if (data !== undefined) change(data)
  }, [data, change])
}
