import type { Call } from '@waystation/protocol/call/call.ts'
import { clsx } from 'clsx'
import { useState } from 'react'
import { left } from '#components/browser/format-time.ts'
import { useJustChanged } from '#components/browser/use-just-changed.ts'
import { useNow } from '#components/browser/use-now.ts'
import { StateGlyph } from '#components/session/content/state-glyph.tsx'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { cardHeading } from '#components/session/wording/card-heading.ts'
import { CutText } from '#components/ui/cut-text.tsx'
import { Sheet } from '#components/ui/sheet.tsx'
import { CallCard } from './call-card.tsx'

type DockBarProps = { waiting: readonly Call[]; may: boolean; hint: string | undefined }

/** The dock of a small screen: a bar above the composer that opens a sheet with one card at a time. */
export function DockBar({ waiting, may, hint }: DockBarProps) {
  const { can, dock, memberParts } = useSessionContext()
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState<string>()
  const now = useNow()
  const call = waiting.find(({ toolCallId }) => toolCallId === chosen) ?? waiting[0]
  const fresh = useJustChanged(open ? (call?.toolCallId ?? '') : '')
  if (call === undefined) {
    // Close the empty sheet. Otherwise, the next call would open it while the user types.
    if (open) setOpen(false)
    return null
  }
  const count = waiting.length === 1 ? '1 request' : `${waiting.length} requests`
  return (
    <>
      <button
        ref={bar => {
          dock.current = bar
        }}
        id={can.ownsPage ? 'waits' : undefined}
        type="button"
        aria-haspopup="dialog"
        data-hook="open-dock"
        onClick={() => setOpen(true)}
        className="flex h-14 w-full shrink-0 items-center gap-2 border-t-2 border-t-you bg-you-tint px-5 text-left"
      >
        <StateGlyph kind={may ? 'parked' : 'not-mine'} />
        <span className="shrink-0 font-semibold text-you">{may ? `${count} for you` : count}</span>
        <CutText text={cardHeading(call).short} className="flex-1" />
        <span className="shrink-0 tabular-nums">{now === undefined ? '' : left(call.deadline, now)}</span>
      </button>
      <Sheet open={open} onOpenChange={setOpen} title={may ? `${count} for you` : count}>
        <div className="flex flex-1 flex-col">
          <div
            data-settling={fresh || undefined}
            className={clsx('flex flex-1 flex-col', fresh && 'pointer-events-none')}
          >
            <CallCard
              key={call.toolCallId}
              call={call}
              place="sheet"
              beside={
                memberParts === undefined ? null : (
                  <memberParts.ApproveAll calls={waiting} toolName={call.toolName} />
                )
              }
            />
          </div>
          {waiting.length < 2 ? null : (
            <nav
              aria-label="Other requests"
              data-hook="waiting-calls"
              className="flex flex-col border-t py-1"
            >
              {waiting.map(other =>
                other === call ? null : (
                  <button
                    key={other.toolCallId}
                    type="button"
                    onClick={() => setChosen(other.toolCallId)}
                    className="tap flex items-center text-left"
                  >
                    <CutText text={cardHeading(other).short} className="flex-1" />
                  </button>
                )
              )}
            </nav>
          )}
          {hint === undefined ? null : <p className="pb-3 text-muted">{hint}</p>}
        </div>
      </Sheet>
    </>
  )
}
