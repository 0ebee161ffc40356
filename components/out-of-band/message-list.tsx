import type { CallInput } from '@waystation/client'
import type { OobEdge, ToldPage } from '@waystation/protocol/out-of-band/oob-edge.ts'
import { client } from '#components/browser/client.ts'
import { unreachable } from '#components/browser/error-text.ts'
import { useReadPages } from '#components/browser/queries.tsx'
import { Button } from '#components/ui/button.tsx'
import { MessageRow } from './message-row.tsx'

type MessageListProps = {
  /** Selects the messages. */
  wanted: NonNullable<CallInput<'listOobMessages'>['query']>
  /** The pairs that the messages belong to. When one of them changes, the list loads again. */
  edges: readonly OobEdge[]
  /** If true, each row also shows the sender and the receiver. */
  ends?: boolean
}

/** Lists out-of-band messages, newest first, with a button that loads the next page. */
export function MessageList({ wanted, edges, ends = false }: MessageListProps) {
  const { data, isError, isFetching, hasNextPage, fetchNextPage } = useReadPages({
    queryKey: ['out-of-band messages', wanted],
    queryFn: ({ pageParam: cursor }) =>
      client.call('listOobMessages', { query: { ...wanted, cursor: cursor ?? undefined } }),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }: ToldPage): string | null => nextCursor,
    version: [JSON.stringify(edges.map(({ count, last }) => [count, last]))]
  })
  const loading = data === undefined && isFetching
  return (
    <>
      <p role="status" className={isError ? 'font-semibold' : loading ? 'text-muted' : 'sr-only'}>
        {isError ? `${unreachable} Try again in a moment.` : loading ? 'Loading…' : ''}
      </p>
      {data === undefined ? null : (
        <ol
          aria-label="Messages"
          data-hook="told-messages"
          aria-busy={isFetching}
          className={ends ? 'border-t' : undefined}
        >
          {data.pages.flatMap(({ messages }) =>
            messages.map(told => <MessageRow key={told.id} told={told} ends={ends} />)
          )}
        </ol>
      )}
      {hasNextPage ? (
        <p className="mt-3">
          <Button onClick={() => void fetchNextPage()} disabled={isFetching}>
            Show earlier signals
          </Button>
        </p>
      ) : null}
    </>
  )
}
