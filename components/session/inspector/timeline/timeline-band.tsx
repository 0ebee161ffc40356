import { useSessionContext } from '#components/session/store/session-context.ts'
import { IconButton } from '#components/ui/button.tsx'
import { CloseIcon } from '#components/ui/icons.tsx'
import { Timeline } from './timeline.tsx'

/** The timeline at the full width of the session, above the transcript. */
export function TimelineBand() {
  const { go } = useSessionContext()
  return (
    <aside
      aria-label="Timeline"
      data-hook="timeline-band"
      className="flex max-h-[40dvh] shrink-0 border-b bg-panel"
    >
      <div className="min-w-0 flex-1">
        <Timeline full />
      </div>
      <div className="pt-1 pr-4">
        <IconButton label="Close timeline" onClick={() => go({})}>
          <CloseIcon />
        </IconButton>
      </div>
    </aside>
  )
}
