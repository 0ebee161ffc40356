'use client'
import type { OobEdges } from '@waystation/protocol/out-of-band/oob-edge.ts'
import { useEffect, useRef, useState } from 'react'
import { httpTo } from '#components/browser/http.ts'
import { edgeId } from './edge.ts'

/** How often it is looked whether anything was told, in ms; over more than a day, seldom: it is work, and little news. */
const paceOf = (hours: number) => (hours <= 24 ? 5000 : 60_000)

/** Who tells whom in these hours; asked for again while the page is looked at. `offline`: the server does not answer. */
export function useEdges(first: OobEdges, hours: number) {
  const [shown, setShown] = useState({ ...first, hours })
  const [offline, setOffline] = useState(false)
  const asked = useRef(0)
  useEffect(() => {
    const look = async () => {
      if (document.hidden) return
      const mine = ++asked.current
      const reply = await httpTo('')<OobEdges>('GET', `/api/out-of-band?hours=${hours}`)
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

/** The new edges, of which equal ones keep their identity; the old ones altogether when nothing changed. */
function kept(before: Shown, now: Shown): Shown {
  const known = new Map(before.edges.map(edge => [edgeId(edge), edge]))
  const edges = now.edges.map(edge => {
    const old = known.get(edgeId(edge))
    return old !== undefined && JSON.stringify(old) === JSON.stringify(edge) ? old : edge
  })
  const same = edges.length === before.edges.length && edges.every((edge, at) => edge === before.edges[at])
  return same && before.more === now.more && before.hours === now.hours ? before : { ...now, edges }
}
