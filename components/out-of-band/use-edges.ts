'use client'
import type { OobEdges } from '@waystation/protocol/out-of-band/oob-edge.ts'
import { useEffect, useRef, useState } from 'react'
import { client } from '#components/browser/client.ts'
import { replyTo } from '#components/browser/reply.ts'
import { edgeId } from './edge.ts'

/**
 * Returns the polling interval, in ms. Ranges over a day cost more and change less, so they are polled less
 * often.
 */
const paceOf = (hours: number) => (hours <= 24 ? 5000 : 60_000)

/**
 * Polls the pairs of sender and receiver of the last `hours` hours while the page is visible. `offline`: the
 * last request failed.
 */
export function useEdges(first: OobEdges, hours: number) {
  const [shown, setShown] = useState({ ...first, hours })
  const [offline, setOffline] = useState(false)
  const asked = useRef(0)
  useEffect(() => {
    const look = async () => {
      if (document.hidden) return
      const mine = ++asked.current
      const reply = await replyTo(client.call('listOobEdges', { query: { hours } }))
      if (mine !== asked.current) return
      setOffline(!reply.ok)
      if (reply.ok) setShown(before => kept(before, { ...reply.body, hours }))
    }
    void look()
    const timer = setInterval(look, paceOf(hours))
    document.addEventListener('visibilitychange', look)
    return () => {
      asked.current++
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [hours])
  return { ...shown, busy: shown.hours !== hours, offline }
}

type Shown = OobEdges & { hours: number }

/**
 * Merges new data into the old. Unchanged edges keep their identity, and so does the whole object if nothing
 * changed.
 */
function kept(before: Shown, now: Shown): Shown {
  const known = new Map(before.edges.map(edge => [edgeId(edge), edge]))
  const edges = now.edges.map(edge => {
    const old = known.get(edgeId(edge))
    return old !== undefined && JSON.stringify(old) === JSON.stringify(edge) ? old : edge
  })
  const same = edges.length === before.edges.length && edges.every((edge, at) => edge === before.edges[at])
  return same && before.more === now.more && before.hours === now.hours ? before : { ...now, edges }
}
