'use client'
import { useRef } from 'react'
import { age } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import { Button } from '#components/ui/button.tsx'
import { CutText } from '#components/ui/cut-text.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { Section } from '#components/ui/section.tsx'
import { StartCard } from '#components/ui/start-card.tsx'
import { Link } from '#components/workspace/link.tsx'
import { useList } from '#components/workspace/list-context.ts'
import { waitsForMe } from '#components/workspace/listed.ts'
import { Page } from '#components/workspace/page.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'

const FirstRequest = lazyPart(
  async () => (await import('#components/waiting/first-request.tsx')).FirstRequest
)

const mostRecent = 8
/** The most agents to start a session with. A dialog lists them all. */
const most = 6

/**
 * Shown beside the list while no session is open: the first request for the user, the newest sessions, and the agents.
 * On a small screen, only the list is visible, and the title is its heading for screen readers.
 */
export function NoSession() {
  const { rows, waiting } = useList()
  const { newSession, me, agents } = useWorkspace()
  // Stays after the last answer, so that the focus is not lost with the card.
  const hadRequest = useRef(false)
  hadRequest.current ||= waiting > 0
  const isAlone = rows.length === 0
  const recent = rows.filter(row => !waitsForMe(row, me)).slice(0, mostRecent)
  const now = useNow()
  const newest =
    recent.length === 0 ? null : (
      <Section title="Recent">
        <ul aria-label="Recent sessions" data-hook="recent-sessions" className="-mt-3 divide-y border-b">
          {recent.map(({ id, title, agentName, snippet, activeAt }) => (
            <li key={id}>
              <Link
                href={sessionPath(id)}
                prefetch={false}
                className="grid min-h-14 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-4 py-2 no-underline outline-offset-[-2px] hover:bg-panel"
              >
                <CutText text={sessionTitle(title, id)} className="font-semibold" />
                <time dateTime={activeAt} className="text-muted tabular-nums">
                  {now === undefined ? '' : age(activeAt, now)}
                </time>
                <span className="col-span-2 truncate text-muted">
                  {snippet === '' ? agentName : `${agentName} · ${snippet}`}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </Section>
    )
  return (
    <Page title="Sessions">
      <div
        className={`grid gap-x-12 gap-y-8 max-mid:hidden ${isAlone ? '' : 'split:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]'}`}
      >
        <div className="flex min-w-0 flex-col gap-8 empty:hidden">
          {hadRequest.current ? <FirstRequest>{newest}</FirstRequest> : newest}
        </div>
        {rows.length === 0 || !me.maySend ? (
          <p className="max-w-[68ch]">
            {rows.length === 0
              ? 'A session is a conversation with an agent. It pauses when it needs you and continues when you answer, even days later.'
              : 'Select a session from the list. You can read sessions but not start them.'}
          </p>
        ) : null}
        {me.maySend ? (
          <Section title="New session">
            <ul
              className={`grid gap-3 ${isAlone ? 'grid-cols-2 split:grid-cols-3' : 'grid-cols-2 split:grid-cols-1'}`}
            >
              {agents.slice(0, most).map(({ agentId, displayName, description }) => (
                <li key={agentId} className="flex">
                  <StartCard data-hook="start-agent" label={displayName} onClick={() => newSession(agentId)}>
                    <span className="line-clamp-3 text-muted">{description}</span>
                  </StartCard>
                </li>
              ))}
            </ul>
            {agents.length > most ? (
              <p>
                <Button onClick={() => newSession()}>All agents</Button>
              </p>
            ) : null}
          </Section>
        ) : null}
      </div>
    </Page>
  )
}
