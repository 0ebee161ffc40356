import { useSessionContext } from '#components/session/store/session-context.ts'
import type { SessionLocation } from '#components/session/wording/session-path.ts'
import { IconButton } from '#components/ui/button.tsx'
import { CloseIcon } from '#components/ui/icons.tsx'
import { Trace } from './trace.tsx'

/** The trace at the full width of the session, in place of the transcript. */
export function TraceBand({ location }: { location: SessionLocation }) {
  const { go } = useSessionContext()
  return (
    <aside aria-label="Trace" data-hook="trace-band" className="h-full">
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
