'use client'
import type { ToldPage } from '@waystation/protocol/out-of-band/oob-edge.ts'
import { unreachable } from '#components/browser/error-text.ts'
import { Button } from '#components/ui/button.tsx'
import { MessageRow } from './message-row.tsx'

type MessageListProps = {
  label: string
  page: ToldPage | undefined
  fault: boolean
  busy: boolean
  onMore: () => void
  /** If true, each row also shows the sender and the receiver. */
  ends?: boolean
}

/** Lists out-of-band messages, newest first, with a button that loads the next page. */
export function MessageList({ label, page, fault, busy, onMore, ends = false }: MessageListProps) {
  return (
    <>
      <p
        role="status"
        className={fault ? 'font-semibold' : page === undefined && busy ? 'text-muted' : 'sr-only'}
      >
        {fault ? `${unreachable} Try again in a moment.` : page === undefined && busy ? 'Loading…' : ''}
      </p>
      {page === undefined ? null : (
        <ol
          aria-label={label}
          data-hook="told-messages"
          aria-busy={busy}
          className={ends ? 'border-t' : undefined}
        >
          {page.messages.map(told => (
            <MessageRow key={told.id} told={told} ends={ends} />
          ))}
        </ol>
      )}
      {page?.nextCursor == null ? null : (
        <p className="mt-3">
          <Button onClick={onMore} disabled={busy}>
            Show earlier messages
          </Button>
        </p>
      )}
    </>
  )
}
