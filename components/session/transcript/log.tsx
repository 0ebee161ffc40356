import { type ReactNode, useMemo } from 'react'
import { ReplyAnnouncer } from '#components/session/content/announcer.tsx'
import { useSessionState } from '#components/session/store/session-context.ts'
import { preparingPlugin } from '#components/session/store/session-state.ts'
import { rowsOf } from '#components/session/transcript/rows/rows.ts'
import { Empty } from './empty.tsx'
import { Transcript } from './transcript.tsx'
import { useSeek } from './use-seek.ts'

type LogProps = {
  /** The ID of a call or out-of-band message to show. */
  target: string | undefined
  /** Shown in a session without messages. */
  empty?: ReactNode
  /** Placed at the right edge. */
  navigator?: ReactNode
  /** The accessible name, if a page has several transcripts. */
  label?: string
}

/** The transcript of the session in the context. */
export function Log({ target, empty = <Empty />, navigator, label }: LogProps) {
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
      <Transcript
        rows={rows}
        target={target}
        empty={loaded ? empty : null}
        navigator={navigator}
        label={label}
      />
      <ReplyAnnouncer />
    </>
  )
}
