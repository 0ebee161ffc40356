'use client'
import type { Call } from '@waystation/protocol/call/call.ts'
import { waitingFor, waitsForPerson } from '@waystation/protocol/call/pending.ts'
import { useMemo } from 'react'
import { useSessionState } from './session-context.ts'

/** Returns the pending calls that wait for a person, not only for this user, nearest deadline first. */
export function usePeopleWaits(): readonly Call[] {
  const calls = useSessionState(state => state.transcript.calls)
  return useMemo(() => waitingFor(Object.values(calls)).filter(waitsForPerson), [calls])
}
