import type { Call } from '@waystation/protocol/call/call.ts'
import { useEffect, useState } from 'react'
import { left } from '#components/browser/format-time.ts'
import { useMouseOver } from '#components/browser/use-mouse-over.ts'
import { useNow } from '#components/browser/use-now.ts'
import { RailLine } from '#components/session/content/rail-line.tsx'
import { StateGlyph } from '#components/session/content/state-glyph.tsx'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { winnerWords } from '#components/session/wording/call-words.ts'
import { cardHeading } from '#components/session/wording/card-heading.ts'
import { whyNotAnswerable } from '#components/session/wording/why-not-answerable.ts'
import { CutText } from '#components/ui/cut-text.tsx'
import { CallCard } from './call-card.tsx'
import { type DockOrder, emptyDock, orderDock } from './dock-order.ts'

type DockProps = {
  /** The pending calls that a person must answer, by deadline, then age. */
  waiting: readonly Call[]
  hint: string | undefined
}

/** Shows the pending calls between the transcript and the composer: one as a card, the others as rows. */
export function Dock({ waiting, hint }: DockProps) {
  const { may, me, can, dock: section, memberParts } = useSessionContext()
  const calls = useSessionState(state => state.transcript.calls)
  const [dock, setDock] = useState<DockOrder>(() => orderDock(emptyDock, waiting, false))
  const held = useMouseOver(section)
  useEffect(() => setDock(before => orderDock(before, waiting, held)), [waiting, held])
  const shown = dock.ids.flatMap(id => calls[id] ?? [])
  if (shown.length === 0) return null
  return (
    <section
      ref={section}
      // A link target in the playground. Another product's page could already use this ID.
      id={can.ownsPage ? 'waits' : undefined}
      data-hook="dock"
      tabIndex={-1}
      aria-label={waiting.length === 1 ? '1 pending request' : `${waiting.length} pending requests`}
      className="dock max-h-[40dvh] shrink-0 scroll-pb-14 overflow-y-auto border-t-2 border-t-you bg-you-tint pr-5 outline-offset-[-2px] mid:px-6"
    >
      <div className="column">
        <div className="pl-(--gutter)">
          {shown.map((call, index) =>
            call.toolCallId === dock.open && call.state === 'open' ? (
              <div key={call.toolCallId} className="relative">
                <RailLine className="-top-96 left-[calc(var(--rail-x)-var(--gutter))] h-100" />
                <span className="absolute top-4 left-[calc(var(--rail-x)-var(--gutter)-6px)] pt-px">
                  <StateGlyph
                    kind={may.answer && whyNotAnswerable(call, me) === undefined ? 'parked' : 'not-mine'}
                  />
                </span>
                <CallCard
                  call={call}
                  place="dock"
                  beside={
                    shown.length === 1 ? null : (
                      <>
                        <span data-hook="call-position" className="shrink-0 text-muted text-ui tabular-nums">
                          {index + 1} of {shown.length}
                        </span>
                        {memberParts === undefined ? null : (
                          <memberParts.ApproveAll calls={shown} toolName={call.toolName} />
                        )}
                      </>
                    )
                  }
                />
              </div>
            ) : (
              <DockRow
                key={call.toolCallId}
                call={call}
                number={index + 1}
                onOpen={() => setDock({ ...dock, open: call.toolCallId })}
              />
            )
          )}
          {hint === undefined ? null : (
            <p role="status" data-hook="dock-hint" className="pb-3 text-ui text-muted">
              {hint}
            </p>
          )}
        </div>
      </div>
    </section>
  )
}

/**
 * Shows a call that is not the open card: "2 · Which color? · 6 d left". If it was settled
 * meanwhile, the row shows by whom.
 */
function DockRow({ call, number, onOpen }: { call: Call; number: number; onOpen: () => void }) {
  const { me } = useSessionContext()
  const now = useNow()
  if (call.state !== 'open')
    return (
      <p className="flex h-9 items-center border-t text-muted first:border-t-0">
        {winnerWords({ state: call.state, answeredBy: call.answeredBy, at: call.settledAt }, now, me.name)}
      </p>
    )
  return (
    <button
      type="button"
      onClick={onOpen}
      className="tap flex h-9 w-full min-w-0 items-center gap-2 border-t text-left first:border-t-0"
    >
      <span className="tabular-nums">{number}</span>
      <CutText text={cardHeading(call).short} className="flex-1" />
      <span className="shrink-0 text-muted tabular-nums">
        {now === undefined ? '' : `${left(call.deadline, now)} left`}
      </span>
    </button>
  )
}
