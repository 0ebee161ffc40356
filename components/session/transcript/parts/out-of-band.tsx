import { MuteSource } from '#components/session/content/mute-source.tsx'
import { OobHead } from '#components/session/content/oob-head.tsx'
import { fromWords, isUnreceived } from '#components/session/wording/out-of-band-words.ts'
import { Time } from '#components/ui/time.tsx'
import type { RowProps } from './row-props.ts'

/**
 * An out-of-band message, where the agent received it, with its acknowledgment (004-12). A message that
 * expired or was removed before that is shown where it was sent.
 */
export function OutOfBandRow({ row: { told } }: RowProps<'oob'>) {
  const { content, status, acknowledgedAt, cancelledAt, expiresAt, effect } = told
  const closedAt = status === 'expired' ? expiresAt : cancelledAt
  return (
    <article
      data-hook="out-of-band-message"
      data-oob={told.id}
      data-status={status}
      aria-label={`Out-of-band message from ${fromWords(told)}`}
      className="border border-l-2 border-l-other px-3 py-2 data-[status=cancelled]:border-l-rail data-[status=cancelled]:text-muted data-[status=expired]:border-l-rail data-[status=expired]:text-muted"
    >
      <OobHead told={told} />
      {isUnreceived(told) ? (
        <p>
          <span className="font-semibold">{status === 'expired' ? 'Expired' : 'Removed'}</span>{' '}
          {closedAt === undefined ? null : <Time at={closedAt} />}. The agent did not receive it.
        </p>
      ) : null}
      <blockquote className="mt-1 max-h-60 overflow-y-auto break-words whitespace-pre-wrap">
        {content}
      </blockquote>
      {acknowledgedAt === undefined ? null : (
        <p className="mt-1 text-muted">
          Acknowledged <Time at={acknowledgedAt} short />: {effect}
        </p>
      )}
      <p className="mt-1 empty:hidden">
        <MuteSource of={told} />
      </p>
    </article>
  )
}
