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
  const { at, action, actor, credential, toolName, toolCallId, pattern } = entry
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
        {actor}
        {credential === 'api' ? null : <Code label="">{credential}</Code>}
        {toolName === null ? null : <Code label={toolCallId === null ? '' : 'tool '}>{toolName}</Code>}
        {pattern === null ? null : <Code label="pattern ">{pattern}</Code>}
      </p>
    </li>
  )
}

const Code = ({ label, children }: { label: string; children: string }) => (
  <>
    {' '}
    · {label}
    <code className="font-mono text-mono">{children}</code>
  </>
)

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
