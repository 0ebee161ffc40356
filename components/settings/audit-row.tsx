import type { ListedAuditEntry } from '@waystation/protocol/workspace/audit.ts'
import { dated } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import { Link } from '#components/workspace/link.tsx'
import { ago } from './ago.ts'
import { auditEvents } from './audit-filter.ts'

/** An entry of the audit log: event, time, session, actor with credential, and the tool of a call. */
export function AuditRow({ entry }: { entry: ListedAuditEntry }) {
  const { at, action, actor, credential, toolName, pattern } = entry
  const now = useNow()
  return (
    <li data-action={action} className="flex flex-col gap-0.5 border-b py-3 [overflow-wrap:anywhere]">
      <p className="flex flex-col mid:flex-row mid:items-baseline mid:justify-between">
        <span className="font-semibold">{auditEvents[action]}</span>
        <time dateTime={at} className="text-muted tabular-nums">
          {now === undefined ? '' : `${dated(at)} · ${ago(at, now)}`}
        </time>
      </p>
      <SessionOf entry={entry} />
      <p className="text-muted">
        {actor} · <code className="font-mono text-mono">{credential}</code>
        {toolName === null ? null : (
          <>
            {' '}
            · tool <code className="font-mono text-mono">{toolName}</code>
          </>
        )}
        {pattern === null ? null : (
          <>
            {' '}
            · pattern <code className="font-mono text-mono">{pattern}</code>
          </>
        )}
      </p>
    </li>
  )
}

/** A link to the session of an entry, at its call if it has one. A deleted session has no link. */
function SessionOf({ entry }: { entry: ListedAuditEntry }) {
  const { sessionId, sessionTitle: title, toolCallId } = entry
  if (sessionId === '') return null
  if (title === null)
    return (
      <p data-hook="deleted-session">
        {sessionId} <span className="text-muted">(deleted)</span>
      </p>
    )
  const location = toolCallId === null ? {} : { inspect: 'trace' as const, call: toolCallId }
  return (
    <p>
      <Link href={sessionPath(sessionId, location)} prefetch={false} className="reach">
        {sessionTitle(title, sessionId)}
      </Link>
    </p>
  )
}
