'use client'
import { useWide } from '#components/browser/use-wide.ts'
import { Announcer } from '#components/session/content/announcer.tsx'
import { useSessionState } from '#components/session/store/session-context.ts'
import { useMyWaits } from '#components/session/store/use-my-waits.ts'
import { usePeopleWaits } from '#components/session/store/use-people-waits.ts'
import { Dock } from './dock.tsx'
import { DockBar } from './dock-bar.tsx'

/** Shows the pending calls as a dock, or on a small screen as a bar. Announces new ones to screen readers. */
export function WaitingDock({ hint }: { hint?: string | undefined }) {
  const mine = useMyWaits()
  const people = usePeopleWaits()
  const calls = useSessionState(state => state.transcript.calls)
  const wide = useWide(800)
  return (
    <>
      {wide ? (
        <Dock waiting={people} calls={calls} hint={hint} />
      ) : (
        <DockBar waiting={people} may={mine.length > 0} hint={hint} />
      )}
      <Announcer waiting={mine} />
    </>
  )
}
