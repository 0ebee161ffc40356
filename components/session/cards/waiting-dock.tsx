import { useContext } from 'react'
import { useWide } from '#components/browser/use-media.ts'
import { CustomWidgetsContext, customWidgetFor } from '#components/session/cards/widgets/custom-widgets.ts'
import { Announcer } from '#components/session/content/announcer.tsx'
import { useMyWaits, usePeopleWaits } from '#components/session/store/use-waits.ts'
import { cardHeading } from '#components/session/wording/card-heading.ts'
import { Dock } from './dock.tsx'
import { DockBar } from './dock-bar.tsx'
import { LateAnswers } from './late-answers.tsx'

/** Shows the pending calls as a dock, or on a small screen as a bar. Announces new ones to screen readers. */
export function WaitingDock({ hint }: { hint?: string | undefined }) {
  const mine = useMyWaits()
  const people = usePeopleWaits()
  const widgets = useContext(CustomWidgetsContext)
  const wide = useWide()
  return (
    <>
      <LateAnswers />
      {wide ? (
        <Dock waiting={people} hint={hint} />
      ) : (
        <DockBar waiting={people} may={mine.length > 0} hint={hint} />
      )}
      <Announcer
        intro="Waiting for you: "
        news={mine.map(call => ({
          id: call.toolCallId,
          words: cardHeading(call, customWidgetFor(widgets, call) !== undefined).title
        }))}
      />
    </>
  )
}
