import type { TurnResult } from '@waystation/protocol/session/comparison.ts'
import type { Snapshot } from '@waystation/protocol/session/event.ts'
import type { Session } from '@waystation/protocol/session/session-view.ts'
import { type ReactNode, useEffect, useState } from 'react'
import { client } from '#components/browser/client.ts'
import { WaitingDock } from '#components/session/cards/waiting-dock.tsx'
import { CallChanges } from '#components/session/content/wiki-change.tsx'
import type { Capabilities, Me, SessionAgent } from '#components/session/store/session-context.ts'
import { SessionScope } from '#components/session/store/session-scope.tsx'
import { createSessionStore } from '#components/session/store/session-store.ts'
import { Log } from '#components/session/transcript/log.tsx'
import { sessionPath } from '#components/session/wording/session-path.ts'

/** One of the compared turns: its session, which shows only this turn, and its result when the page was rendered. */
export type ComparedTurn = { session: Session; snapshot: Snapshot; result: TurnResult }

/** People can read and answer in a column. All other actions are on the session's own page. */
const can: Capabilities = { ownsPage: false, inspector: false, members: true, tell: false }
const stay = () => undefined

type ColumnProps = { turn: ComparedTurn; agent: SessionAgent; me: Me; label: string; head: ReactNode }

/** A turn with its calls and their cards, as it streams. */
export function Column({ turn: { session, snapshot }, agent, me, label, head }: ColumnProps) {
  const [store] = useState(() => createSessionStore({ sessionId: session.id, initial: snapshot, client }))
  useEffect(() => store.start(), [store])
  return (
    <SessionScope
      sessionId={session.id}
      store={store}
      agent={agent}
      me={me}
      can={can}
      sessionHref={sessionPath}
      CallChanges={CallChanges}
      go={stay}
    >
      <section
        aria-label={label}
        data-hook="compare-column"
        data-session={session.id}
        className="flex min-h-0 min-w-0 flex-1 flex-col narrow-session"
      >
        {head}
        <Log target={undefined} label={`Transcript of ${label}`} />
        <WaitingDock />
      </section>
    </SessionScope>
  )
}
