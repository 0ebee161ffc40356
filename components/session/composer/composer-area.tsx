'use client'
import { useSessionState } from '#components/session/store/session-context.ts'
import { usePeopleWaits } from '#components/session/store/use-people-waits.ts'
import { Alarms } from './alarms.tsx'
import { Composer } from './composer.tsx'
import { HeldMessages } from './held-messages.tsx'
import { Queued } from './queued.tsx'
import { SubAgents } from './sub-agents.tsx'

/** The composer, below the held messages, sub-agents, alarms and queued messages. */
export function ComposerArea() {
  const messages = useSessionState(state => state.transcript.messages)
  const outOfBand = useSessionState(state => state.transcript.outOfBand)
  const status = useSessionState(state => state.transcript.status)
  const retries = useSessionState(state => state.transcript.retryAt !== undefined)
  const parked = usePeopleWaits().length > 0 || status === 'parked'
  return (
    <>
      <HeldMessages outOfBand={outOfBand} />
      <SubAgents />
      <Alarms />
      <Queued messages={messages} outOfBand={outOfBand} />
      <Composer busy={status === 'running' || retries} parked={parked} />
    </>
  )
}
