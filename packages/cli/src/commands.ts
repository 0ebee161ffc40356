import { answer } from './answer.ts'
import { attach } from './attach.ts'
import type { Command } from './command.ts'
import { events } from './events.ts'
import { follow } from './follow.ts'
import { pending } from './pending.ts'
import { resend } from './resend.ts'
import { send } from './send.ts'
import { sessions } from './sessions.ts'
import { stop } from './stop.ts'

/** The commands, by the name that selects them. */
export const commands: Readonly<Record<string, Command>> = {
  attach,
  send,
  resend,
  follow,
  stop,
  answer,
  pending,
  events,
  sessions
}
