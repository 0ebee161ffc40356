import { type ReactNode, useMemo } from 'react'
import { ReplyAnnouncer } from '#components/session/content/announcer.tsx'
import { useSessionState } from '#components/session/store/session-context.ts'
import { preparingPlugin } from '#components/session/store/session-state.ts'
import { rowsOf } from '#components/session/transcript/rows/rows.ts'
import { Empty } from './empty.tsx'
import { Transcript } from './transcript.tsx'
import { useSeek } from './use-seek.ts'

/**
 * The transcript of the session in the context. `target` is the ID of a call or out-of-band message to show, and
 * `empty` is shown in a session without messages.
 */
export function Log({ target, empty = <Empty /> }: { target: string | undefined; empty?: ReactNode }) {
  const transcript = useSessionState(state => state.transcript)
  const sends = useSessionState(state => state.pending.sends)
  const loaded = useSessionState(state => state.loaded)
  const preparing = useSessionState(preparingPlugin)
  const rows = useMemo(() => {
    const status = preparing === undefined ? undefined : `Preparing the prompt: ${preparing}…`
    return rowsOf(transcript, sends, status)
  }, [transcript, sends, preparing])
  useSeek(target, rows)
  return (
    <>
      <Transcript rows={rows} target={target} empty={loaded ? empty : null} />
      <ReplyAnnouncer />
    </>
  )
}
