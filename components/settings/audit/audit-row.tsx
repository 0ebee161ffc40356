import type { ListedAuditEntry } from '@waystation/protocol/workspace/audit.ts'
import type { ReactNode } from 'react'
import { clock, dated } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import { ago } from '#components/settings/ago.ts'
import { Link } from '#components/workspace/link.tsx'
import { auditEvents } from './audit-filter.ts'

/** The columns of the list: chevron, time, who, action and target. On small screens, an entry has two lines. */
const columns =
  'grid grid-cols-[14px_minmax(0,1fr)_auto] items-baseline gap-x-3 mid:grid-cols-[14px_88px_minmax(0,3fr)_minmax(0,4fr)_minmax(0,4fr)]'

/** The names of the columns. Screen readers hear the entries as sentences instead. */
export const AuditHead = () => (
  <div aria-hidden="true" className={`${columns} pb-2 text-muted max-mid:hidden`}>
    <span className="col-start-2">Time</span>
    <span>Who</span>
    <span>Action</span>
    <span>Target</span>
  </div>
)

/** An entry of the audit log. It opens to show its time, credential, session, tool and pattern. */
export function AuditRow({ entry }: { entry: ListedAuditEntry }) {
  const {
    at,
    action,
    actor,
    credential,
    sessionId,
    sessionTitle: title,
    toolName,
    toolCallId,
    pattern
  } = entry
  const now = useNow()
  const session = sessionId === '' ? '' : sessionTitle(title ?? sessionId, sessionId)
  return (
    <li data-action={action} className="border-b">
      <details>
        <summary className={`${columns} tap py-2.5 outline-offset-[-2px] hover:bg-panel`}>
          <time dateTime={at} className="text-muted tabular-nums max-mid:order-1 max-mid:justify-self-end">
            {now === undefined ? '' : clock(at, now)}
          </time>
          <span className="truncate max-mid:order-2 max-mid:col-start-2 max-mid:text-muted">{actor}</span>
          <span className="truncate font-semibold">{auditEvents[action]}</span>
          <span
            className={`truncate max-mid:order-3 max-mid:max-w-40 max-mid:justify-self-end max-mid:text-muted ${toolName === null ? '' : 'font-mono text-mono'}`}
          >
            {toolName ?? session}
          </span>
        </summary>
        <dl className="grid grid-cols-[80px_minmax(0,1fr)] gap-x-3 gap-y-1 pt-1 pb-3 pl-[26px] [overflow-wrap:anywhere] mid:grid-cols-[88px_minmax(0,1fr)]">
          <Fact label="Time">{now === undefined ? '' : `${dated(at)} · ${ago(at, now)}`}</Fact>
          <Fact label="Who">
            {actor}
            {credential === 'api' ? null : (
              <>
                {' '}
                · <Code>{credential}</Code>
              </>
            )}
          </Fact>
          <Fact label="Session">
            {sessionId === '' ? null : title === null ? (
              <span data-hook="deleted-session">
                {sessionId} <span className="text-muted">(deleted)</span>
              </span>
            ) : (
              <Link
                href={sessionPath(
                  sessionId,
                  toolCallId === null ? {} : { inspect: 'trace', call: toolCallId }
                )}
                prefetch={false}
                className="reach underline"
              >
                {session}
              </Link>
            )}
          </Fact>
          <Fact label={toolCallId === null ? 'Target' : 'Tool'}>{toolName && <Code>{toolName}</Code>}</Fact>
          <Fact label="Pattern">{pattern && <Code>{pattern}</Code>}</Fact>
        </dl>
      </details>
    </li>
  )
}

const Code = ({ children }: { children: string }) => <code className="font-mono text-mono">{children}</code>

/** A detail, if the entry has it. */
const Fact = ({ label, children }: { label: string; children: ReactNode }) =>
  children === null ? null : (
    <>
      <dt className="text-muted">{label}</dt>
      <dd>{children}</dd>
    </>
  )
