'use client'
import { useRef } from 'react'
import { Button } from '#components/ui/button.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { Section } from '#components/ui/section.tsx'
import { StartCard } from '#components/ui/start-card.tsx'
import { useList } from '#components/workspace/list-context.ts'
import { Page } from '#components/workspace/page.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'

const FirstRequest = lazyPart(
  async () => (await import('#components/waiting/first-request.tsx')).FirstRequest
)

/** The most agents to start a session with. A dialog lists them all. */
const most = 6

/**
 * Shown beside the list while no session is open: the first request for the user, and the agents. On a small screen, only
 * the list is visible, and the title is its heading for screen readers.
 */
export function NoSession() {
  const { rows, waiting } = useList()
  const { newSession, me, agents } = useWorkspace()
  // Stays after the last answer, so that the focus is not lost with the card.
  const hadRequest = useRef(false)
  hadRequest.current ||= waiting > 0
  const isAlone = waiting === 0
  return (
    <Page title="Sessions">
      <div
        className={`grid gap-x-12 gap-y-8 ${isAlone ? '' : 'split:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]'}`}
      >
        {hadRequest.current ? <FirstRequest /> : null}
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
