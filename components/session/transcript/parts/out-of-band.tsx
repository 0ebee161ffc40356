import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { ReactNode } from 'react'
import { useAction } from '#components/browser/use-action.ts'
import { MuteSource } from '#components/session/content/mute-source.tsx'
import { OobAbout } from '#components/session/content/oob-about.tsx'
import { OobHead } from '#components/session/content/oob-head.tsx'
import { tellAbout } from '#components/session/store/composer-draft.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { byWords } from '#components/session/wording/call-words.ts'
import {
  dueIn,
  fromWords,
  isPendingInPlace,
  isUnreceived,
  replacementOf,
  start
} from '#components/session/wording/out-of-band-words.ts'
import { Button } from '#components/ui/button.tsx'
import { Time } from '#components/ui/time.tsx'
import type { RowProps } from './row-props.ts'

/**
 * An out-of-band message with its receipt (004-12). It is at the place where the agent received it. A pending
 * message of a person is at the end, and a message that expired or was removed is where it was sent.
 */
export function OutOfBandRow({ row: { told } }: RowProps<'oob'>) {
  return (
    <OobFrame told={told}>
      <Receipt told={told} />
      <p className="mt-1 flex flex-wrap gap-x-3 empty:hidden">
        <Actions told={told} />
        <MuteSource of={told} />
      </p>
    </OobFrame>
  )
}

/** The frame and text of an out-of-band message. `children` follow the text. */
export const OobFrame = ({ told, children }: { told: OutOfBand; children: ReactNode }) => (
  <article
    data-hook="out-of-band-message"
    data-oob={told.id}
    data-status={told.status}
    aria-label={`Signal from ${fromWords(told)}`}
    className="border border-l-2 border-l-other px-3 py-2 data-[status=cancelled]:border-l-rail data-[status=cancelled]:text-muted data-[status=expired]:border-l-rail data-[status=expired]:text-muted"
  >
    <OobHead told={told} />
    <OobAbout told={told} />
    <blockquote className="mt-1 max-h-60 overflow-y-auto break-words whitespace-pre-wrap">
      {told.content}
    </blockquote>
    {children}
  </article>
)

/** Shows the state of the message, with the times of the log. Screen readers announce changes of one's own messages. */
function Receipt({ told }: { told: OutOfBand }) {
  const { agent, me } = useSessionContext()
  const session = useSessionState(({ transcript }) => transcript.status)
  const { status, injectedAt, acknowledgedAt, cancelledAt, cancelledBy, expiresAt, effect } = told
  const closedAt = status === 'expired' ? expiresAt : cancelledAt
  const by = status === 'cancelled' && cancelledBy !== undefined ? ` by ${byWords(cancelledBy)}` : ''
  return (
    <p
      data-hook="receipt"
      aria-live={told.source === 'user' && told.sourceId === me.name ? 'polite' : undefined}
      className="mt-1 text-muted"
    >
      {isUnreceived(told) ? (
        <>
          <span className="font-semibold">
            {status === 'expired' ? 'Expired' : 'Removed'}
            {by}
          </span>{' '}
          {closedAt === undefined ? null : <Time at={closedAt} />}. The agent did not receive it.
        </>
      ) : null}
      {status === 'visible' ? `Pending: ${dueIn(told, session).toLowerCase()}` : null}
      {status === 'held' ? 'Held: needs approval' : null}
      {injectedAt === undefined ? null : (
        <span data-hook="read-by-agent">
          {agent.external ? 'Sent to' : 'Read by'} the agent <Time at={injectedAt} short />
        </span>
      )}
      {acknowledgedAt === undefined ? null : (
        <span>
          {' · '}Acknowledged <Time at={acknowledgedAt} short />: {effect}
        </span>
      )}
    </p>
  )
}

/** Removes a pending message, or prepares another one that replaces it or is about it. */
function Actions({ told }: { told: OutOfBand }) {
  const { sessionId, store, may, me, can } = useSessionContext()
  const [remove, removing] = useAction(() => store.removeOutOfBand(told.id))
  const replaced = useSessionState(
    ({ transcript }) => replacementOf(told, transcript.outOfBand) !== undefined
  )
  const isOwn = told.source === 'user' && told.sourceId === me.name
  if (!may.send) return null
  return (
    <>
      {isPendingInPlace(told) && (isOwn || can.members) ? (
        <Button
          data-hook="remove-message"
          tone="quiet"
          disabled={removing}
          onClick={() => void remove()}
          aria-label={`Remove message: ${start(told.content)}`}
        >
          Remove message
        </Button>
      ) : null}
      {can.tell && !isUnreceived(told) && !(isOwn && replaced) ? (
        <Button
          data-hook="tell-about"
          tone="quiet"
          onClick={() => tellAbout(sessionId, { relatedTo: told.id, ...(isOwn ? redirect : {}) })}
          aria-label={`${isOwn ? 'Replace message' : 'Tell about this'}: ${start(told.content)}`}
        >
          {isOwn ? 'Replace message' : 'Tell about this'}
        </Button>
      ) : null}
    </>
  )
}

const redirect = { action: 'redirect' } as const
