import type { ToldMessage } from '@waystation/protocol/out-of-band/oob-edge.ts'
import { length } from '#components/browser/format-time.ts'
import { isUnreceived, statusWords } from '#components/session/wording/out-of-band-words.ts'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { Time } from '#components/ui/time.tsx'
import { Link } from '#components/workspace/link.tsx'
import { Ends } from './ends.tsx'

/** A message with its time, priority, content and status. The time links to its place in the session. */
export function MessageRow({ told, ends }: { told: ToldMessage; ends: boolean }) {
  const { id, from, to, priority, status, content, effect, approvedBy, messageId, metadata } = told
  const place = messageId === undefined && !isUnreceived(told) ? {} : { oob: id }
  return (
    <li data-status={status} data-priority={priority} className="border-b py-2 last:border-b-0">
      {ends ? (
        <p>
          <Ends from={from} to={to} />
        </p>
      ) : null}
      <p className="flex flex-wrap items-baseline gap-x-3">
        <Link
          data-hook="show-message"
          href={sessionPath(to.sessionId, place)}
          prefetch={false}
          className="reach"
        >
          <span className="sr-only">Show in session: </span>
          <Time at={told.queuedAt} />
        </Link>
        <span className={priority === 'critical' || priority === 'high' ? 'text-ink' : 'text-muted'}>
          {priority}
        </span>
        {metadata?.action === undefined ? null : <span className="text-muted">{metadata.action}</span>}
        <span className={status === 'held' ? 'text-you' : 'text-muted'}>
          {statusWords[status]}
          {tookWords(told)}
          {approvedBy === undefined ? '' : `, approved by ${approvedBy}`}
        </span>
      </p>
      <blockquote className="mt-1 max-h-40 max-w-[68ch] overflow-y-auto break-words whitespace-pre-wrap">
        {content}
      </blockquote>
      {effect === undefined ? null : <p className="mt-1 max-w-[68ch] break-words text-muted">“{effect}”</p>}
    </li>
  )
}

/**
 * Returns the time until the agent received the message, such as " after 3 s". Empty if it has not received
 * it.
 */
const tookWords = ({ queuedAt, injectedAt }: ToldMessage): string =>
  injectedAt === undefined ? '' : ` after ${length(Date.parse(injectedAt) - Date.parse(queuedAt))}`
