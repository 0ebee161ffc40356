'use client'
import { Button } from '#components/ui/button.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { StartCard } from '#components/ui/start-card.tsx'
import { useList } from '#components/workspace/list-context.ts'
import { useWorkspace } from '#components/workspace/workspace-context.ts'

const FirstRequest = lazyPart(
  async () => (await import('#components/waiting/first-request.tsx')).FirstRequest
)

/** The most agents to start a session with. A dialog lists them all. */
const most = 6

/**
 * Shown beside the list while no session is open: the first request for the user, and the agents. On a small screen, only
 * the list is visible, and this is its heading for screen readers.
 */
export function NoSession() {
  const { rows, waiting } = useList()
  const { newSession, me, agents } = useWorkspace()
  const title = me.maySend ? 'New session' : 'Sessions'
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto flex w-full max-w-[720px] flex-col gap-8 px-8 py-12">
        <h1 tabIndex={-1} className="text-title font-semibold outline-none">
          {waiting > 0 ? wordsFor(waiting) : title}
        </h1>
        <div className="flex flex-col gap-8 max-mid:hidden">
          {waiting > 0 ? <FirstRequest /> : null}
          {rows.length === 0 || !me.maySend ? (
            <p className="max-w-[68ch] text-muted">
              {rows.length === 0
                ? 'A session is a conversation with an agent. It pauses when it needs you and continues when you answer, even days later.'
                : 'Select a session from the list. You can read sessions but not start them.'}
            </p>
          ) : null}
          {me.maySend ? (
            <section className="flex flex-col gap-4">
              {waiting > 0 ? <h2 className="border-b pb-2 text-person font-semibold">{title}</h2> : null}
              <ul className="grid grid-cols-2 gap-3">
                {agents.slice(0, most).map(({ agentId, displayName, description }) => (
                  <li key={agentId} className="flex">
                    <StartCard
                      data-hook="start-agent"
                      label={displayName}
                      onClick={() => newSession(agentId)}
                    >
                      <span className="line-clamp-2 text-muted">{description}</span>
                    </StartCard>
                  </li>
                ))}
              </ul>
              {agents.length > most ? (
                <p>
                  <Button onClick={() => newSession()}>All agents</Button>
                </p>
              ) : null}
            </section>
          ) : null}
        </div>
      </div>
    </div>
  )
}

const wordsFor = (count: number) =>
  count === 1 ? 'One request is waiting for you' : `${count} requests are waiting for you`
