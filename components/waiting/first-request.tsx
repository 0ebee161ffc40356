import { type ReactNode, useRef } from 'react'
import { left } from '#components/browser/format-time.ts'
import { useEffectOnChange } from '#components/browser/use-effect-on-change.ts'
import { useNow } from '#components/browser/use-now.ts'
import { StateGlyph } from '#components/session/content/state-glyph.tsx'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import { CutText } from '#components/ui/cut-text.tsx'
import { Section } from '#components/ui/section.tsx'
import { Link } from '#components/workspace/link.tsx'
import { useList, useListStore } from '#components/workspace/list-context.ts'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { OpenRequest } from './open-request.tsx'
import { describe, keyOf, merged, type Request } from './request.ts'

/** The most other requests to list. */
const most = 5

/**
 * The user's request with the nearest deadline, and links to the next ones. After its answer, the next one takes its
 * place, and the heading the focus. The children are below, and appear with it.
 */
export function FirstRequest({ children }: { children: ReactNode }) {
  const store = useListStore()
  const { mine, held = [] } = useList()
  const { agents } = useWorkspace()
  const detail = useRef<HTMLElement>(null)
  const [request, ...others] = merged(
    mine ?? [],
    held.filter(message => message.mine)
  )
  const key = request && keyOf(request)
  useEffectOnChange([key], () => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('main h1')?.focus()
  })
  if (request === undefined) return mine === undefined ? null : children
  const nameOf = ({ agentId }: Request) =>
    agents.find(agent => agent.agentId === agentId)?.displayName ?? agentId
  return (
    <>
      <Section title={others.length === 0 ? 'Waiting for you' : `Waiting for you (${others.length + 1})`}>
        <OpenRequest
          key={key}
          brief
          request={request}
          agent={nameOf(request)}
          detail={detail}
          onSettled={() => void store.refresh()}
        />
        {others.length === 0 ? null : (
          <ul aria-label="Other requests" data-hook="other-requests" className="-mt-3 divide-y border-b">
            {others.slice(0, most).map(other => (
              <OtherRow key={keyOf(other)} request={other} agent={nameOf(other)} />
            ))}
            {others.length > most ? (
              <li>
                <Link
                  href="/waiting"
                  className="tap flex h-9 items-center px-4 text-muted no-underline hover:text-ink"
                >
                  Show all {others.length + 1}
                </Link>
              </li>
            ) : null}
          </ul>
        )}
      </Section>
      {children}
    </>
  )
}

function OtherRow({ request, agent }: { request: Request; agent: string }) {
  const now = useNow()
  const { title, until } = describe(request, now)
  return (
    <li>
      <Link
        href={`/waiting?call=${encodeURIComponent(keyOf(request))}`}
        className="grid min-h-14 grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-x-2 px-4 py-2 no-underline outline-offset-[-2px] hover:bg-panel"
      >
        <StateGlyph kind="parked" />
        <CutText text={title} className="font-semibold" />
        <span className="shrink-0 text-muted tabular-nums">
          {now === undefined || until === undefined ? '' : `${left(until, now)} left`}
        </span>
        <span className="col-start-2 col-end-4 truncate text-muted">
          {agent} · {sessionTitle(request.title, request.sessionId)}
        </span>
      </Link>
    </li>
  )
}
