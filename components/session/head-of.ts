import type { Call } from '#lib/protocol/call.ts'
import { elicitHintOf } from '#lib/protocol/elicitation.ts'
import { actOf, systemOf, tellingOf } from './act.ts'
import { connectHintOf } from './connect-words.ts'

/** What a card says first: its sentence, then in one line who asks for what and why. `short` is for a row or a bar. */
export type Head = { title: string; why: string; short: string }

/** The words over a call that waits, by its kind. */
export function headOf(call: Call): Head {
  switch (call.kind) {
    case 'question': {
      const asked = elicitHintOf(call)
      if (asked !== undefined) {
        const { message, service } = asked
        return {
          title: message,
          why: `${service} asks, before ${call.toolName} goes on.`,
          short: message.replace(/\s+/g, ' ').slice(0, 200)
        }
      }
      const question = tellingOf(call.input) || 'The agent asks you something'
      return { title: question, why: 'The agent asks.', short: question }
    }
    case 'limit':
      return {
        title: 'Continue?',
        why: tellingOf(call.input) || 'The turn reached its cap of steps or cost.',
        short: 'Continue?'
      }
    case 'external':
    case 'agent':
      return { title: `Waiting for ${systemOf(call)}`, why: '', short: systemOf(call) }
    case 'client':
      if (call.toolName === 'client-info')
        return {
          title: 'Share where you are?',
          why: 'The agent asks for your time zone, language and location.',
          short: 'Share where you are'
        }
      return { title: `${call.toolName} has no answer here`, why: '', short: call.toolName }
    case 'connection': {
      const { service, why } = connectHintOf(call)
      const need =
        call.where === 'server'
          ? `${call.toolName} needs it to go on. ${why ?? ''}`.trim()
          : `The agent needs your account at ${service}. It never sees a password or a token.`
      return { title: `Connect ${service}?`, why: need, short: `Connect ${service}` }
    }
    default: {
      const act = actOf(call)
      const why = call.kind === 'approval' ? `${act.why} Nothing runs until you answer.` : act.why
      return { title: `${act.title}?`, why, short: act.short }
    }
  }
}
