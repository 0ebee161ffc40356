import type { DescendantCall, SubAgent } from '@waystation/protocol/agent/listed-sub-agent.ts'
import { useMemo, useState } from 'react'
import { useJustChanged } from '#components/browser/use-just-changed.ts'
import { OtherCall, OtherSession } from '#components/session/cards/other-session.tsx'
import { StateGlyph } from '#components/session/content/state-glyph.tsx'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { useSubAgents } from '#components/session/store/use-sub-agents.ts'
import { cardHeading } from '#components/session/wording/card-heading.ts'
import { Link } from '#components/ui/link.tsx'

/**
 * Lists, above the composer, the sub-agents at work (001-16) and the pending calls in all sessions below this
 * one. One call is open as a card, at first the first one. The others are rows that open.
 */
export function SubAgents() {
  const { can } = useSessionContext()
  const { subAgents, waiting: asked } = useSubAgents()
  // A session token is valid for one session, so it cannot answer calls in the session of a sub-agent.
  const waiting = can.members ? asked : []
  const atWork = subAgents.filter(({ atWork }) => atWork)
  const [chosen, setChosen] = useState<string>()
  const open = waiting.find(({ call }) => call.toolCallId === chosen) ?? waiting[0]
  // For a moment after the list changes, clicks are ignored: a second click is meant for the earlier item.
  const moved = useJustChanged(waiting.map(({ call }) => call.toolCallId).join(' '))
  if (atWork.length === 0 && waiting.length === 0) return null
  return (
    <section
      data-hook="sub-agents"
      aria-label="Sub-agents"
      className={`max-h-[40dvh] shrink-0 overflow-y-auto pr-5 mid:px-6 ${waiting.length > 0 ? 'border-t-2 border-t-you bg-you-tint' : 'border-t'}`}
    >
      <div className="column">
        <ul>
          {atWork.map(sub => (
            <SubAgentRow key={sub.sessionId} sub={sub} />
          ))}
        </ul>
        <ul className={moved ? 'pointer-events-none' : ''}>
          {waiting.map(below => (
            <li
              key={below.call.toolCallId}
              className={below === open ? 'pt-2 pb-3 pl-(--gutter)' : 'border-t pl-(--gutter)'}
            >
              {below === open ? (
                <CallHere below={below} />
              ) : (
                <button
                  type="button"
                  className="tap flex h-9 w-full min-w-0 items-center gap-2 text-left"
                  onClick={() => setChosen(below.call.toolCallId)}
                >
                  <span className="shrink-0 font-mono text-mono">{below.call.toolName}</span>
                  <span className="min-w-0 flex-1 truncate">{cardHeading(below.call).short}</span>
                </button>
              )}
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

/** A line such as "▸ Guide · Sub-task: count birds · working · Open". */
function SubAgentRow({ sub }: { sub: SubAgent }) {
  const { sessionHref } = useSessionContext()
  const parked = sub.status === 'parked'
  return (
    <li data-sub-agent={sub.sessionId} className="flex min-h-9 items-center gap-3 pl-(--gutter)">
      <StateGlyph kind={parked ? 'parked-other' : 'running'} />
      <span className="shrink-0 text-muted">{sub.agentName}</span>
      <span className="min-w-0 flex-1 truncate" title={sub.title}>
        {sub.title}
      </span>
      <span className="shrink-0 text-muted">{parked ? 'waiting' : 'working'}</span>
      {sessionHref === undefined ? null : (
        <Link href={sessionHref(sub.sessionId)} className="reach shrink-0">
          Open<span className="sr-only"> session {sub.title}</span>
        </Link>
      )}
    </li>
  )
}

function CallHere({ below }: { below: DescendantCall }) {
  const { me, may, store, go, memberParts } = useSessionContext()
  const { sessionId, agentId, call } = below
  const agent = useMemo(() => ({ agentId, displayName: agentId }), [agentId])
  return (
    <OtherSession
      sessionId={sessionId}
      client={store.client}
      agent={agent}
      me={me}
      may={may}
      go={go}
      memberParts={memberParts}
    >
      <OtherCall call={call} />
    </OtherSession>
  )
}
