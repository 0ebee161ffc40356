'use client'
import { Alarms } from './alarms.tsx'
import { Composer } from './composer.tsx'
import { Held } from './held-messages.tsx'
import { Queued } from './queued.tsx'
import { useSessionState } from '#components/session/store/session-context.ts'
import { SubAgents } from './sub-agents.tsx'
import { usePeopleWaits } from '#components/session/store/use-people-waits.ts'

/** Where a person writes, under what they wrote that the agent has not taken yet. */
export function Writing() {
  const messages = useSessionState(state => state.transcript.messages)
  const outOfBand = useSessionState(state => state.transcript.outOfBand)
  const status = useSessionState(state => state.transcript.status)
  const retries = useSessionState(state => state.transcript.retryAt !== undefined)
  const parked = usePeopleWaits().length > 0 || status === 'parked'
  return (
    <>
      <Held outOfBand={outOfBand} />
      <SubAgents />
      <Alarms />
      <Queued messages={messages} outOfBand={outOfBand} />
      <Composer busy={status === 'running' || retries} parked={parked} />
    </>
  )
}
