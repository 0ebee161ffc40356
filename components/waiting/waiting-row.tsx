import { clsx } from 'clsx'
import { clock, left } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { StateGlyph } from '#components/session/content/state-glyph.tsx'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import { Link } from '#components/workspace/link.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { OpenCall, OpenHeld } from './open-call.tsx'
import { describe, isCall, type Request } from './request.ts'

type WaitingRowProps = { request: Request; open: boolean; toggle: () => void }

/** A pending request, in two lines or, on wide screens, in columns. It expands to the card that answers it. */
export function WaitingRow({ request, open, toggle }: WaitingRowProps) {
  const { agents } = useWorkspace()
  const now = useNow()
  const { mine, sessionId, agentId } = request
  const shown = describe(request, now)
  const agent = agents.find(one => one.agentId === agentId)?.displayName ?? agentId
  const session = sessionTitle(request.title, sessionId)
  return (
    <li data-mine={mine} className={clsx('border-b px-3 hover:bg-panel', open && 'bg-panel')}>
      <div className="grid grid-cols-1 items-center mid:grid-cols-[minmax(0,1fr)_auto]">
        <button
          type="button"
          data-waits
          aria-expanded={open}
          onClick={toggle}
          className="grid min-h-12 w-full grid-cols-[12px_minmax(0,1fr)_auto] items-center gap-x-3 py-1 text-left outline-offset-[-2px] mid:grid-cols-(--columns) mid:pr-2"
        >
          <StateGlyph kind={shown.forPerson ? (mine ? 'parked' : 'not-mine') : 'parked-other'} />
          <span className="min-w-0">
            <span className={clsx('block truncate', mine && 'font-semibold')}>{shown.title}</span>
            <span className="block truncate text-muted">
              {shown.sender === undefined ? '' : `${shown.sender} · `}
              {session} · {agent}
            </span>
          </span>
          <span className="min-w-0 max-mid:order-last max-mid:col-start-2 max-mid:col-end-4 max-mid:truncate max-mid:text-muted">
            <span className="sr-only">Waiting on: </span>
            <span data-hook="asked" className="block truncate" title={shown.asked}>
              {shown.asked}
              <span className="mid:hidden"> · since {now === undefined ? '…' : clock(shown.since, now)}</span>
            </span>
          </span>
          <span className="text-muted tabular-nums max-mid:hidden">
            <span className="sr-only">Since </span>
            <time dateTime={shown.since}>{now === undefined ? '' : clock(shown.since, now)}</time>
          </span>
          <Until shown={shown} now={now} />
        </button>
        <Link href={shown.href} prefetch={false} className="pl-2 max-mid:hidden">
          Open<span className="sr-only"> session {session}</span>
        </Link>
      </div>
      {open ? (
        <div className="pt-1 pb-4 pl-6">
          {isCall(request) ? (
            <OpenCall call={request} agentName={agent} />
          ) : (
            <OpenHeld message={request} agentName={agent} />
          )}
          <p className="mt-3 mid:hidden">
            <Link href={shown.href} prefetch={false} className="tap inline-flex items-center">
              Open session
            </Link>
          </p>
        </div>
      ) : null}
    </li>
  )
}

type UntilProps = { shown: ReturnType<typeof describe>; now: number | undefined }

/**
 * Shows the deadline, such as "6 d · Fri 14:02". It is highlighted in the last fifth of the call's time. The
 * color tells if the request waits for a person.
 */
function Until({ shown: { until, isDue, isNear, forPerson }, now }: UntilProps) {
  if (now === undefined) return <span />
  if (until === undefined) return <span className="text-right text-muted mid:text-left">no deadline</span>
  return (
    <span
      data-hook="deadline"
      data-near={isNear}
      data-waits-for={forPerson ? 'person' : 'system'}
      className={clsx(
        'text-right tabular-nums mid:text-left',
        isNear && 'font-semibold',
        isNear ? (forPerson ? 'text-you' : 'text-other') : 'text-muted'
      )}
    >
      <span className="sr-only">Until </span>
      <time dateTime={until} className="flex flex-col whitespace-nowrap mid:flex-row mid:gap-1">
        <span>{isDue ? 'due' : `${left(until, now)} left`}</span>
        <span className="mid:before:content-['·_']">{clock(until, now)}</span>
      </time>
    </span>
  )
}
