import { useRef } from 'react'
import { left } from '#components/browser/format-time.ts'
import { useEffectOnChange } from '#components/browser/use-effect-on-change.ts'
import { useNow } from '#components/browser/use-now.ts'
import { StateGlyph } from '#components/session/content/state-glyph.tsx'
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
 * place, and the heading the focus.
 */
export function FirstRequest() {
  const store = useListStore()
  const { mine = [], held = [] } = useList()
  const { agents } = useWorkspace()
  const detail = useRef<HTMLElement>(null)
  const [request, ...others] = merged(
    mine,
    held.filter(message => message.mine)
  )
  const key = request && keyOf(request)
  useEffectOnChange([key], () => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('main h1')?.focus()
  })
  if (request === undefined) return null
  return (
    <Section title={others.length === 0 ? 'Waiting for you' : `Waiting for you (${others.length + 1})`}>
      <OpenRequest
        key={key}
        brief
        request={request}
        agent={agents.find(({ agentId }) => agentId === request.agentId)?.displayName ?? request.agentId}
        detail={detail}
        onSettled={() => void store.refresh()}
      />
      {others.length === 0 ? null : (
        <ul aria-label="Other requests" data-hook="other-requests" className="-mt-3 divide-y border-b">
          {others.slice(0, most).map(other => (
            <OtherRow key={keyOf(other)} request={other} />
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
  )
}

function OtherRow({ request }: { request: Request }) {
  const now = useNow()
  const { title, until } = describe(request, now)
  return (
    <li>
      <Link
        href={`/waiting?call=${encodeURIComponent(keyOf(request))}`}
        className="tap flex h-9 items-center gap-2 px-4 no-underline hover:bg-panel"
      >
        <StateGlyph kind="parked" />
        <CutText text={title} className="flex-1" />
        <span className="shrink-0 text-muted tabular-nums">
          {now === undefined || until === undefined ? '' : `${left(until, now)} left`}
        </span>
      </Link>
    </li>
  )
}
