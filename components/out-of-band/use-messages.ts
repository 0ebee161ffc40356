'use client'
import type { CallInput } from '@waystation/client'
import type { ToldMessage, ToldPage } from '@waystation/protocol/out-of-band/oob-edge.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { client } from '#components/browser/client.ts'
import { replyTo } from '#components/browser/reply.ts'

/** Selects out-of-band messages. */
export type MessageQuery = NonNullable<CallInput<'listOobMessages'>['query']>

/**
 * Loads pages of the out-of-band messages that match `wanted`, newest first. When `news` changes, the hook
 * loads the first page again and puts it above the messages that it has already loaded.
 */
export function useMessages(wanted: MessageQuery, news: string) {
  const query = JSON.stringify(wanted)
  const [page, setPage] = useState<ToldPage & { query: string }>()
  const [fault, setFault] = useState(false)
  const [busy, setBusy] = useState(true)
  const asked = useRef(0)
  const ask = useCallback(
    async (before?: ToldPage) => {
      const mine = ++asked.current
      setBusy(true)
      const page: MessageQuery = { ...JSON.parse(query), cursor: before?.nextCursor ?? undefined }
      const reply = await replyTo(client.call('listOobMessages', { query: page }))
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `news` triggers a reload
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

/**
 * Returns the known messages that follow the last message of a new page. Empty if that message is unknown.
 */
function below(known: readonly ToldMessage[], page: readonly ToldMessage[]): ToldMessage[] {
  const last = page.at(-1)
  const at = last === undefined ? -1 : known.findIndex(({ id }) => id === last.id)
  return at < 0 ? [] : known.slice(at + 1)
}
