'use client'
import type { OobEdges } from '@waystation/protocol/out-of-band/oob-edge.ts'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { useRead } from '#components/browser/queries.tsx'

/**
 * Returns the polling interval, in ms. Ranges over a day cost more and change less, so they are polled less
 * often.
 */
const paceOf = (hours: number) => (hours <= 24 ? 5000 : 60_000)

/**
 * Polls the pairs of sender and receiver of the last `hours` hours while the page is visible. `offline`: the
 * last request failed. `busy`: the pairs are still those of another range.
 */
export function useEdges(first: OobEdges, hours: number) {
  const [begun] = useState(hours)
  const { data, isError, isPlaceholderData } = useRead({
    queryKey: ['out-of-band edges', hours],
    queryFn: () => client.call('listOobEdges', { query: { hours } }),
    first: hours === begun ? first : undefined,
    placeholderData: before => before,
    refetchInterval: paceOf(hours),
    refetchOnWindowFocus: true
  })
  return { ...(data ?? first), busy: isPlaceholderData, offline: isError }
}
