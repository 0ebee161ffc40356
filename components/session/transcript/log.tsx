'use client'
import { type ReactNode, useCallback, useMemo } from 'react'
import { ReplyAnnouncer } from '#components/session/content/reply-announcer.tsx'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { rowsOf } from '#components/session/transcript/rows/rows.ts'
import { Empty } from './empty.tsx'
import { Origin } from './origin.tsx'
import { Transcript } from './transcript.tsx'
import { useSeek } from './use-seek.ts'

/**
 * The transcript of the session in the context. `target` is the ID of a call or out-of-band message to show, and
 * `empty` is shown in a session without messages.
 */
export function Log({ target, empty = <Empty /> }: { target: string | undefined; empty?: ReactNode }) {
  const { store } = useSessionContext()
  const transcript = useSessionState(state => state.transcript)
  const sends = useSessionState(state => state.pending.sends)
  const earlier = useSessionState(state => state.earlier)
  const loaded = useSessionState(state => state.loaded)
  const rows = useMemo(() => rowsOf(transcript, sends), [transcript, sends])
  const onEarlier = useCallback(() => void store.loadEarlier(), [store])
  useSeek(target, rows)
  return (
    <>
      <Transcript
        rows={rows}
        running={transcript.status === 'running'}
        earlier={earlier}
        onEarlier={onEarlier}
        target={target}
        origin={<Origin />}
        empty={loaded ? empty : null}
      />
      <ReplyAnnouncer />
    </>
  )
}
