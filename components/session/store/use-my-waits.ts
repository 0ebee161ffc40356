'use client'
import type { Call } from '@waystation/protocol/call/call.ts'
import { useMemo } from 'react'
import { whyNotAnswerable } from '#components/session/wording/why-not-answerable.ts'
import { useSessionContext } from './session-context.ts'
import { usePeopleWaits } from './use-people-waits.ts'

/** Returns the pending calls that this user can answer, by their role and by each call's answer policy. */
export function useMyWaits(): readonly Call[] {
  const { may, me } = useSessionContext()
  const people = usePeopleWaits()
  return useMemo(
    () => (may.answer ? people.filter(call => whyNotAnswerable(call, me) === undefined) : []),
    [people, may.answer, me]
  )
}
