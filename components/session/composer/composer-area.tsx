import { Alarms } from './alarms.tsx'
import { Composer, type ComposerExtras } from './composer.tsx'
import { HeldMessages } from './held-messages.tsx'
import { Queued } from './queued.tsx'
import { SubAgents } from './sub-agents.tsx'

/** The composer, below the held messages, sub-agents, alarms and queued messages. */
export const ComposerArea = (extras: ComposerExtras) => (
  <>
    <HeldMessages />
    <SubAgents />
    <Alarms />
    <Queued />
    <Composer {...extras} />
  </>
)
