import type { Call } from '@waystation/protocol/call/call.ts'
import { waitingFor, waitsForPerson } from '@waystation/protocol/call/pending.ts'
import { useMemo } from 'react'
import { whyNotAnswerable } from '#components/session/wording/why-not-answerable.ts'
import { useSessionContext, useSessionState } from './session-context.ts'

/** Returns the pending calls that wait for a person, not only for this user, nearest deadline first. */
export function usePeopleWaits(): readonly Call[] {
  const calls = useSessionState(state => state.transcript.calls)
  return useMemo(() => waitingFor(Object.values(calls)).filter(waitsForPerson), [calls])
}

/** Returns the number of requests for this user: calls, and held out-of-band messages. */
export function useMyRequests(): number {
  const { may } = useSessionContext()
  const told = useSessionState(state => state.transcript.outOfBand)
  const held = Object.values(told).filter(({ status }) => status === 'held').length
  return useMyWaits().length + (may.answer ? held : 0)
}

/** Returns the pending calls that this user can answer, by their role and by each call's answer policy. */
export function useMyWaits(): readonly Call[] {
  const { may, me } = useSessionContext()
  const people = usePeopleWaits()
  return useMemo(
    () => (may.answer ? people.filter(call => whyNotAnswerable(call, me) === undefined) : []),
    [people, may.answer, me]
  )
}
