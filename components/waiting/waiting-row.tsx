import { answererPhrase } from '@waystation/protocol/call/answerers.ts'
import { waitsForPerson } from '@waystation/protocol/call/pending.ts'
import type { WaitingCall } from '@waystation/protocol/call/waiting-call.ts'
import { clsx } from 'clsx'
import { clock, isLate, left } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { StateGlyph } from '#components/session/content/state-glyph.tsx'
import { cardHeading } from '#components/session/wording/card-heading.ts'
import { systemOf } from '#components/session/wording/describe-call.ts'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import { Link } from '#components/workspace/link.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { callOf, OpenCall } from './open-call.tsx'

type WaitingRowProps = { call: WaitingCall; open: boolean; toggle: () => void }

/** A pending call, in two lines or, on wide screens, in columns. It expands to the card that answers it. */
export function WaitingRow({ call, open, toggle }: WaitingRowProps) {
  const { agents } = useWorkspace()
  const now = useNow()
  const forPerson = waitsForPerson(call)
  const href = sessionPath(call.sessionId, { call: call.toolCallId })
  const agent = agents.find(({ agentId }) => agentId === call.agentId)?.displayName ?? call.agentId
  return (
    <li data-mine={call.mine} className={clsx('border-b px-3 hover:bg-panel', open && 'bg-panel')}>
      <div className="grid grid-cols-1 items-center mid:grid-cols-[minmax(0,1fr)_auto]">
        <button
          type="button"
          data-waits
          aria-expanded={open}
          onClick={toggle}
          className="grid min-h-12 w-full grid-cols-[12px_minmax(0,1fr)_auto] items-center gap-x-3 py-1 text-left outline-offset-[-2px] mid:grid-cols-(--columns) mid:pr-2"
        >
          <StateGlyph kind={forPerson ? (call.mine ? 'parked' : 'not-mine') : 'parked-other'} />
          <span className="min-w-0">
            <span className={clsx('block truncate', call.mine && 'font-semibold')}>
              {cardHeading(callOf(call)).title}
            </span>
            <span className="block truncate text-muted">
              {sessionTitle(call.title, call.sessionId)} · {agent}
            </span>
          </span>
          <span className="min-w-0 max-mid:order-last max-mid:col-start-2 max-mid:col-end-4 max-mid:truncate max-mid:text-muted">
            <span className="sr-only">Waiting on: </span>
            <span data-hook="asked" className="block truncate" title={askedOf(call)}>
              {askedOf(call)}
              <span className="mid:hidden"> · since {now === undefined ? '…' : clock(call.since, now)}</span>
            </span>
          </span>
          <span className="text-muted tabular-nums max-mid:hidden">
            <span className="sr-only">Since </span>
            <time dateTime={call.since}>{now === undefined ? '' : clock(call.since, now)}</time>
          </span>
          <Until call={call} now={now} />
        </button>
        <Link href={href} prefetch={false} className="pl-2 max-mid:hidden">
          Open<span className="sr-only"> session {sessionTitle(call.title, call.sessionId)}</span>
        </Link>
      </div>
      {open ? (
        <div className="pt-1 pb-4 pl-6">
          <OpenCall call={call} agentName={agent} />
          <p className="mt-3 mid:hidden">
            <Link href={href} prefetch={false} className="tap inline-flex items-center">
              Open session
            </Link>
          </p>
        </div>
      ) : null}
    </li>
  )
}

/**
 * Shows the deadline, such as "6 d · Fri 14:02". It is highlighted in the last fifth of the call's time. The
 * color tells if the call waits for a person.
 */
function Until({ call, now }: { call: WaitingCall; now: number | undefined }) {
  if (now === undefined) return <span />
  const due = Date.parse(call.deadline) <= now
  const near = due || isLate(call, now)
  return (
    <span
      data-hook="deadline"
      data-near={near}
      data-waits-for={waitsForPerson(call) ? 'person' : 'system'}
      className={clsx(
        'text-right tabular-nums mid:text-left',
        near && 'font-semibold',
        near ? (waitsForPerson(call) ? 'text-you' : 'text-other') : 'text-muted'
      )}
    >
      <span className="sr-only">Until </span>
      <time dateTime={call.deadline} className="flex flex-col whitespace-nowrap mid:flex-row mid:gap-1">
        <span>{due ? 'due' : `${left(call.deadline, now)} left`}</span>
        <span className="mid:before:content-['·_']">{clock(call.deadline, now)}</span>
      </time>
    </span>
  )
}

/**
 * Returns who must answer: the user, the people in the answer policy, or the external service or sub-agent.
 */
function askedOf(call: WaitingCall): string {
  if (!waitsForPerson(call)) return systemOf(callOf(call))
  const group = answererPhrase(call)
  if (group === undefined) return call.mine ? 'You' : 'An operator'
  return call.mine ? `You · ${group}` : group.charAt(0).toUpperCase() + group.slice(1)
}
