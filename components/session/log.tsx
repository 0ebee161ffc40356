'use client'
import { useMemo } from 'react'
import { Empty } from './empty.tsx'
import { rowsOf } from './rows.ts'
import { useSessionContext, useSessionState } from './session-context.ts'
import { Transcript } from './transcript.tsx'

/** What the session says, from its own state. `call`: one to show and open. */
export function Log({ call }: { call: string | undefined }) {
  const { store } = useSessionContext()
  const transcript = useSessionState(state => state.transcript)
  const sends = useSessionState(state => state.pending.sends)
  const deliveries = useSessionState(state => state.deliveries)
  const earlier = useSessionState(state => state.earlier)
  const loaded = useSessionState(state => state.loaded)
  const rows = useMemo(() => rowsOf(transcript, sends, deliveries), [transcript, sends, deliveries])
  return (
    <Transcript
      rows={rows}
      running={transcript.status === 'running'}
      earlier={earlier}
      onEarlier={() => void store.loadEarlier()}
      call={call}
      empty={loaded ? <Empty /> : null}
    />
  )
}
