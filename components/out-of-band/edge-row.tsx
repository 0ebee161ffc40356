'use client'
import type { OobEdge } from '@waystation/protocol/out-of-band/oob-edge.ts'
import { clsx } from 'clsx'
import { statusWords } from '#components/session/wording/out-of-band-words.ts'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { Time } from '#components/ui/time.tsx'
import { Link } from '#components/workspace/link.tsx'
import { Arrow } from './arrow.tsx'
import { queryOf, receiverWords, senderWords } from './edge.ts'
import { MessageList } from './message-list.tsx'
import { useMessages } from './use-messages.ts'

type EdgeRowProps = {
  edge: OobEdge
  hours: number
  open: boolean
  toggle: () => void
  onMark: (on: boolean) => void
}

/**
 * A pair of sender and receiver, with the number of messages and the last one. It expands to its messages.
 */
export function EdgeRow({ edge, hours, open, toggle, onMark }: EdgeRowProps) {
  const { from, to, count, last } = edge
  return (
    <li
      data-status={last.status}
      data-count={count}
      onPointerEnter={() => onMark(true)}
      onPointerLeave={() => onMark(false)}
      className={clsx('border-b px-3 hover:bg-panel', open && 'bg-panel')}
    >
      <button
        type="button"
        data-edge
        aria-expanded={open}
        onClick={toggle}
        onFocus={() => onMark(true)}
        onBlur={() => onMark(false)}
        className="grid w-full grid-cols-[minmax(0,1fr)_auto] gap-x-4 py-2 text-left outline-offset-[-2px]"
      >
        <span className="flex min-w-0 flex-wrap gap-x-2">
          <span className="max-w-full truncate font-semibold">{senderWords(from)}</span>
          <span className="flex max-w-full min-w-0 gap-x-2 font-semibold">
            <Arrow />
            <span className="min-w-0 truncate">{receiverWords(to)}</span>
          </span>
        </span>
        <span className="text-right whitespace-nowrap tabular-nums">
          {count}
          <span className="sr-only"> {count === 1 ? 'message' : 'messages'}, last</span>
          <span aria-hidden="true" className="text-muted">
            {' '}
            ·{' '}
          </span>
          <Time at={last.queuedAt} className="text-muted" />
        </span>
        <span className="min-w-0 truncate text-muted">{last.content}</span>
        <span className={clsx('text-right', last.status === 'held' ? 'text-you' : 'text-muted')}>
          {statusWords[last.status]}
        </span>
      </button>
      {open ? <Between edge={edge} hours={hours} /> : null}
    </li>
  )
}

/** The messages of a pair, with links to its sessions. */
function Between({ edge, hours }: { edge: OobEdge; hours: number }) {
  const { from, to, count, last } = edge
  const news = JSON.stringify([count, last])
  const { page, fault, busy, more } = useMessages({ hours, ...queryOf(edge) }, news)
  return (
    <div className="pt-1 pb-4">
      <MessageList page={page} fault={fault} busy={busy} onMore={more} label="Messages" />
      <p className="mt-3 flex flex-wrap gap-x-6">
        <Link href={sessionPath(to.sessionId)} prefetch={false} className="reach min-w-0 truncate">
          Open {receiverWords(to)}
        </Link>
        {from.sessionId === undefined ? null : (
          <Link href={sessionPath(from.sessionId)} prefetch={false} className="reach min-w-0 truncate">
            Open {senderWords(from)}
          </Link>
        )}
      </p>
    </div>
  )
}
