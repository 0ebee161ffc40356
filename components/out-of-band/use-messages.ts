'use client'
import type { ToldMessage, ToldPage } from '@waystation/protocol/out-of-band/oob-edge.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { httpTo } from '#components/browser/http.ts'

/**
 * Pages of what was told, newest first: of everything, or of what `query` names. `news` changes when there is something new: the
 * first page is asked for again then, and stands above what was read before.
 */
export function useMessages(query: string, news: string) {
  const [page, setPage] = useState<ToldPage & { query: string }>()
  const [fault, setFault] = useState(false)
  const [busy, setBusy] = useState(true)
  const asked = useRef(0)
  const ask = useCallback(
    async (before?: ToldPage) => {
      const mine = ++asked.current
      setBusy(true)
      const cursor = before?.nextCursor ? `&cursor=${encodeURIComponent(before.nextCursor)}` : ''
      const reply = await httpTo('')<ToldPage>('GET', `/api/out-of-band/messages?${query}${cursor}`)
      if (mine !== asked.current) return
      setBusy(false)
      setFault(!reply.ok)
      if (!reply.ok) return
      const { messages, nextCursor } = reply.body
      setPage(known => {
        const older =
          before === undefined ? below(known?.query === query ? known.messages : [], messages) : []
        return {
          query,
          messages: [...(before?.messages ?? []), ...messages, ...older],
          nextCursor: older.length > 0 ? (known?.nextCursor ?? null) : nextCursor
        }
      })
    },
    [query]
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: news are the reason to ask again
  useEffect(() => {
    void ask()
    return () => void asked.current++
  }, [ask, news])
  return {
    page: page?.query === query ? page : undefined,
    fault,
    busy,
    more: () => void ask(page)
  }
}

/** What was read before and stands behind the new page. */
function below(known: readonly ToldMessage[], page: readonly ToldMessage[]): ToldMessage[] {
  const last = page.at(-1)
  const at = last === undefined ? -1 : known.findIndex(({ id }) => id === last.id)
  return at < 0 ? [] : known.slice(at + 1)
}
