import type { OobEdge } from '@waystation/protocol/out-of-band/oob-edge.ts'
import { clsx } from 'clsx'
import { statusWords } from '#components/session/wording/out-of-band-words.ts'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { Time } from '#components/ui/time.tsx'
import { Link } from '#components/workspace/link.tsx'
import { queryOf, receiverWords, senderWords } from './edge.ts'
import { Ends } from './ends.tsx'
import { MessageList } from './message-list.tsx'

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
      className={clsx(
        'relative isolate border-b before:absolute before:inset-y-0 before:-inset-x-3 before:-z-10 hover:before:bg-panel',
        open && 'before:bg-panel'
      )}
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
        <Ends from={from} to={to} />
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
      {open ? (
        <div className="pt-1 pb-4">
          <MessageList wanted={{ hours, ...queryOf(edge) }} edges={[edge]} />
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
      ) : null}
    </li>
  )
}
