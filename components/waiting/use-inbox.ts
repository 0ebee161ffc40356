import { useSearchParams } from 'next/navigation'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useNow } from '#components/browser/use-now.ts'
import { type Filters, filterNames, isSelected } from './filters.ts'
import { keyOf, type Request } from './request.ts'

/** True if the list and the open request are side by side. */
export const isSplit = () => matchMedia('(width >= 1280px)').matches

/** The requests that the URL selects. */
export type Shown = { mine: boolean; set: Filters }

/**
 * The state of the inbox, which is in the URL: `?mine=true`, the filters, and the open request as `?call=…`. On wide
 * screens, a request is always open. When the open one is answered, the one in its place opens.
 */
export function useInbox(requests: readonly Request[]) {
  const params = useSearchParams()
  const clock = useNow()
  const mine = params.get('mine') === 'true'
  const set: Filters = Object.fromEntries(
    filterNames.flatMap(name => {
      const value = params.get(name)
      return value === null ? [] : [[name, value]]
    })
  )
  // Without this filter, the time changes nothing.
  const now = set.until === undefined ? undefined : clock
  /** The requests that this user answered, until the list no longer has them. */
  const [done, setDone] = useState<ReadonlySet<string>>(new Set())
  const pending = useMemo(() => requests.filter(request => !done.has(doneKey(request))), [requests, done])
  const filter = JSON.stringify(set)
  const shown = useMemo(
    () =>
      pending.filter(
        request => (request.mine || !mine) && isSelected(request, JSON.parse(filter) as Filters, now)
      ),
    [pending, mine, filter, now]
  )
  const key = params.get('call') ?? undefined
  const at = shown.findIndex(request => keyOf(request) === key)
  const open = shown[at]
  const last = useRef<{ key: string; at: number }>(undefined)

  const write = (change: Record<string, string | undefined>) => {
    const next = new URLSearchParams(params)
    for (const [name, value] of Object.entries(change))
      if (value === undefined) next.delete(name)
      else next.set(name, value)
    window.history.replaceState(null, '', next.size === 0 ? '/waiting' : `/waiting?${next}`)
  }
  const select = (request: Request | undefined) => write({ call: request && keyOf(request) })

  // biome-ignore lint/correctness/useExhaustiveDependencies: `write` is derived from `params`
  useEffect(() => {
    if (open !== undefined) {
      last.current = { key: keyOf(open), at }
      return
    }
    // The open request was answered, or the page was opened on a wide screen.
    const isAnswered = last.current !== undefined && last.current.key === key
    const next = isAnswered ? shown[Math.min(last.current?.at ?? 0, shown.length - 1)] : shown[0]
    if (next !== undefined && (isAnswered || isSplit())) select(next)
    else if (key !== undefined && shown.length > 0) select(undefined)
  }, [open, at, key, shown])

  return {
    mine,
    set,
    /** The requests of all filters. */
    pending,
    shown,
    open,
    select,
    show: ({ mine, set }: Shown) =>
      write({
        mine: mine ? 'true' : undefined,
        ...Object.fromEntries(filterNames.map(name => [name, set[name]]))
      }),
    /** Removes answered requests from the list, before the server's list does. */
    settle: (answered: readonly Request[]) =>
      setDone(before => new Set([...before, ...answered.map(doneKey)]))
  }
}

/** A call can wait again, for something else. */
const doneKey = (request: Request) =>
  `${keyOf(request)} ${'since' in request ? request.since : request.queuedAt}`
