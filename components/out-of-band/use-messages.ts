'use client'
import type { CallInput } from '@waystation/client'
import type { ToldPage } from '@waystation/protocol/out-of-band/oob-edge.ts'
import { client } from '#components/browser/client.ts'
import { useReadPages } from '#components/browser/queries.tsx'

/** Selects out-of-band messages. */
export type MessageQuery = NonNullable<CallInput<'listOobMessages'>['query']>

/**
 * Loads pages of the out-of-band messages that match `wanted`, newest first. When `news` changes, the hook
 * loads them again.
 */
export function useMessages(wanted: MessageQuery, news: string) {
  const query = useReadPages({
    queryKey: ['out-of-band messages', wanted],
    queryFn: ({ pageParam: cursor }) =>
      client.call('listOobMessages', { query: { ...wanted, cursor: cursor ?? undefined } }),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }: ToldPage): string | null => nextCursor,
    version: [news]
  })
  const pages = query.data?.pages
  const last = pages?.at(-1)
  return {
    page: last && { ...last, messages: pages?.flatMap(({ messages }) => messages) ?? [] },
    fault: query.isError,
    busy: query.isFetching,
    more: () => void query.fetchNextPage()
  }
}
