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

/**
 * Loads and filters the deliveries of the workspace. Pending ones are read again until they end. They then
 * stay in the list, even if they no longer match the filter, so that the user sees the outcome.
 */
export function useDeliveries(first: DeliveryPage, shown: Shown) {
  const [state, setState] = useState(shown)
  const [refusal, setRefusal] = useState<string>()
  const queries = useQueries()
  const query = useReadPages({
    queryKey: ['deliveries', state],
    queryFn: ({ pageParam: cursor }) =>
      client.call('listAllDeliveries', {
        query: { state: state === 'all' ? undefined : state, cursor: cursor ?? undefined }
      }),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }: DeliveryPage): string | null => nextCursor,
    first: state === shown ? first : undefined
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
    busy: query.isFetching,
    fault: refusal ?? faultOf(query),
    choose: (to: Shown) => {
      setState(to)
      setRefusal(undefined)
      window.history.replaceState(
        null,
        '',
        to === 'all' ? '/activity/deliveries' : `/activity/deliveries?state=${to}`
      )
    },
    look: () => {
      setRefusal(undefined)
      void query.refetch()
    },
    more: () => {
      setRefusal(undefined)
      void query.fetchNextPage()
    },
    repeat: async ({ sessionId, id }: Listed) => {
      const reply = await replyTo(client.call('redeliver', { path: { sessionId, deliveryId: id } }))
      setRefusal(reply.ok ? undefined : readError(reply))
      if (reply.ok) change([reply.body])
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
