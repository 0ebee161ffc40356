import { useSessionContext } from '#components/session/store/session-context.ts'
import type { SessionLocation } from '#components/session/wording/session-path.ts'
import { IconButton } from '#components/ui/button.tsx'
import { CloseIcon } from '#components/ui/icons.tsx'
import { Trace } from './trace.tsx'

/** The trace at the full width of the session, above the transcript. */
export function TraceBand({ location }: { location: SessionLocation }) {
  const { go } = useSessionContext()
  return (
    <aside aria-label="Trace" data-hook="trace-band" className="h-[45dvh] shrink-0 border-b bg-panel">
      <Trace
        location={location}
        full
        end={
          <IconButton label="Close trace" onClick={() => go({})}>
            <CloseIcon />
          </IconButton>
        }
      />
    </aside>
  )
}
