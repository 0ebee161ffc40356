import type { ListedSession } from '@waystation/protocol/session/listed-session.ts'
import { useLinkStatus } from 'next/link'
import { memo } from 'react'
import { age, clock, left } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { StateGlyph } from '#components/session/content/state-glyph.tsx'
import { systemOf } from '#components/session/wording/describe-call.ts'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { failedLine, kindOf, subAgentWords, whyOf } from '#components/session/wording/session-status.ts'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import { CutText } from '#components/ui/cut-text.tsx'
import { Link } from '#components/workspace/link.tsx'
import { besideWords, dueOf, isUndelivered } from '#components/workspace/listed.ts'

type RowProps = {
  session: ListedSession
  current: boolean
  mayAnswer: boolean
  /** The session waits for a person, and this user can answer. */
  mine: boolean
}

/**
 * A session in the list: state, title, unread mark, and its deadline or age. The second line says why it waits or failed, or shows its last
 * message. The row is 48 px high.
 */
export const SessionRow = memo(function SessionRow({ session, current, mayAnswer, mine }: RowProps) {
  const now = useNow(30_000)
  const shape = kindOf({ ...session, mayAnswer: mine, empty: session.snippet === '' })
  const asks = session.subAgents?.waiting ?? 0
  const below = asks > 0 && (shape === 'parked-other' || shape === 'idle')
  const due = dueOf(session)
  // The open session is being read.
  const unread = session.unread === true && !current
  const kind = isUndelivered(session)
    ? 'failed'
    : session.agentStatus
      ? 'running'
      : below
        ? mayAnswer
          ? 'parked'
          : 'not-mine'
        : shape
  return (
    <Link
      data-session={session.id}
      href={sessionPath(session.id)}
      prefetch={false}
      data-state={kind}
      aria-current={current ? 'page' : undefined}
      className="grid h-12 grid-cols-[16px_minmax(0,1fr)_auto] content-center gap-x-2.5 border-l-2 border-l-transparent pr-4 pl-[14px] no-underline outline-offset-[-2px] hover:bg-ground aria-[current]:border-l-ink aria-[current]:bg-ground"
    >
      <span className="flex h-5 items-center justify-center">
        <StateGlyph kind={kind} />
      </span>
      <CutText
        text={sessionTitle(session.title, session.id)}
        className={mine || unread ? 'font-semibold' : ''}
      />
      <span className="flex items-center gap-2">
        {unread ? (
          <span data-hook="unread" className="size-2 rounded-full bg-ink">
            <span className="sr-only">New reply</span>
          </span>
        ) : null}
        {due === undefined ? (
          <Age activeAt={session.activeAt} now={now} />
        ) : now === undefined ? null : (
          <time data-hook="due" dateTime={due} title={clock(due, now)} className="text-muted tabular-nums">
            {left(due, now)}
            <span className="sr-only"> left</span>
          </time>
        )}
      </span>
      <span className="col-start-2 col-end-4 flex min-w-0 gap-2 text-muted">
        <span data-hook="session-reason" className="min-w-0 flex-1 truncate">
          {secondLine(session, mayAnswer, now)}
        </span>
        <Beside session={session} />
      </span>
    </Link>
  )
})

/** The time since the last activity, or "…" while the session's page is loading. */
function Age({ activeAt, now }: { activeAt: string; now: number | undefined }) {
  const { pending } = useLinkStatus()
  return (
    <time dateTime={activeAt} className="text-muted">
      {pending ? '…' : now === undefined ? '' : age(activeAt, now)}
    </time>
  )
}

/** The number of out-of-band messages, if the second line shows a more important reason. */
function Beside({ session }: { session: ListedSession }) {
  const { outOfBand } = session
  if (outOfBand === undefined || !hasReason(session)) return null
  const { held, waiting } = outOfBand
  return (
    <span data-hook="session-beside" className="shrink-0">
      {held > 0 ? `${held} held` : `+${waiting}`}
      <span className="sr-only"> signals</span>
    </span>
  )
}

const hasReason = (session: ListedSession): boolean =>
  isUndelivered(session) || session.waitingFor.length > 0 || session.status === 'failed'

/** Returns why the session waits or failed. If it does neither, returns its last message. */
function secondLine(session: ListedSession, mayAnswer: boolean, now: number | undefined): string {
  const { agentName } = session
  if (isUndelivered(session)) {
    const [call] = session.waitingFor
    return call === undefined
      ? `${agentName} didn't accept the message`
      : `${systemOf(call)} didn't accept the call`
  }
  if (session.agentStatus !== undefined) return session.agentStatus.text
  const asks = session.subAgents?.waiting ?? 0
  if (asks > 0 && session.waitingFor.every(({ kind }) => kind === 'agent')) return subAgentWords(asks)
  if (session.waitingFor.length > 0) return whyOf(session.waitingFor, now)
  if (session.status === 'failed') return failedLine(session.error, session.retryAt, now)
  if (session.outOfBand !== undefined) return besideWords(session.outOfBand, mayAnswer)
  return session.snippet === '' ? agentName : `${agentName} · ${session.snippet}`
}
