'use client'
import type { Delivery, DeliveryPage } from '@waystation/protocol/external-agent/delivery.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { client } from '#components/browser/client.ts'
import { readError } from '#components/browser/error-text.ts'
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
  const [page, setPage] = useState(first)
  const [state, setState] = useState(shown)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  /** The number of the newest request. Responses to older requests are ignored. */
  const asked = useRef(0)

  const load = async (of: Shown, before?: DeliveryPage) => {
    const mine = ++asked.current
    setBusy(true)
    const query = { state: of === 'all' ? undefined : of, cursor: before?.nextCursor ?? undefined }
    const reply = await replyTo(client.call('listAllDeliveries', { query }))
    if (mine !== asked.current) return
    setBusy(false)
    setFault(reply.ok ? undefined : readError(reply))
    if (reply.ok)
      setPage({ ...reply.body, deliveries: [...(before?.deliveries ?? []), ...reply.body.deliveries] })
  }
  const change = useCallback((changed: readonly Delivery[]) => {
    const news = new Map(changed.map(delivery => [delivery.id, delivery]))
    setPage(before => ({
      ...before,
      deliveries: before.deliveries.map(one => ({ ...one, ...news.get(one.id) }))
    }))
  }, [])
  useFollowed(page.deliveries, change)

  return {
    page,
    state,
    busy,
    fault,
    choose: (to: Shown) => {
      setState(to)
      setPage({ deliveries: [], nextCursor: null })
      window.history.replaceState(null, '', to === 'all' ? '/deliveries' : `/deliveries?state=${to}`)
      void load(to)
    },
    look: () => void load(state),
    more: () => void load(state, page),
    repeat: async ({ sessionId, id }: Listed) => {
      const reply = await replyTo(client.call('redeliver', { path: { sessionId, deliveryId: id } }))
      setFault(reply.ok ? undefined : readError(reply))
      if (reply.ok) change([reply.body])
    }
  }
}

/** Reads pending deliveries again, as long as there are any and the page is visible. */
function useFollowed(deliveries: readonly Listed[], change: (changed: readonly Delivery[]) => void) {
  const underWay = deliveries.filter(({ state }) => state === 'pending')
  const sessions = [...new Set(underWay.map(({ sessionId }) => sessionId))].slice(0, pace.sessions).join(' ')
  useEffect(() => {
    if (sessions === '') return
    const timer = setInterval(async () => {
      if (document.hidden) return
      for (const sessionId of sessions.split(' ')) {
        const reply = await replyTo(client.call('listDeliveries', { path: { sessionId } }))
        if (reply.ok) change(reply.body.deliveries)
      }
    }, pace.ms)
    return () => clearInterval(timer)
  }, [sessions, change])
}
