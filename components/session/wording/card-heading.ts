import type { Call } from '@waystation/protocol/call/call.ts'
import { elicitHintOf } from '@waystation/protocol/call/elicitation.ts'
import { accountName, connectHintOf } from './connect-words.ts'
import { describeCall, salientArgument, systemOf } from './describe-call.ts'

/** The heading of a card: a title, and a line that adds facts, or is empty. `short` is for rows and bars. */
export type CardHeading = { title: string; why: string; short: string }

/**
 * Returns the heading of a pending call, by its kind. `answerable` is true if the page itself can answer a call
 * of its own tools, because it has a widget for it.
 */
export function cardHeading(call: Call, answerable = false): CardHeading {
  switch (call.kind) {
    case 'question': {
      const asked = elicitHintOf(call)
      if (asked !== undefined)
        return {
          title: asked.message,
          why:
            call.where === 'asker'
              ? ''
              : `${asked.service} needs your input before ${call.toolName} can continue.`,
          short: asked.message.replace(/\s+/g, ' ').slice(0, 200)
        }
      const question = salientArgument(call.input) || 'The agent has a question'
      return { title: question, why: '', short: question }
    }
    case 'limit':
      return {
        title: 'Continue?',
        why: salientArgument(call.input) || 'The turn reached its step or cost limit.',
        short: 'Continue?'
      }
    case 'external':
    case 'agent':
      return { title: `Waiting for ${systemOf(call)}`, why: '', short: systemOf(call) }
    case 'client':
      if (call.toolName === 'client-info')
        return {
          title: 'Share your location?',
          why: '',
          short: 'Share your location'
        }
      return {
        title: answerable ? `${call.toolName} needs your input` : `This page can't answer ${call.toolName}`,
        why: '',
        short: call.toolName
      }
    case 'connection': {
      const { service, why } = connectHintOf(call)
      const need =
        call.where === 'server'
          ? `${call.toolName} needs this connection to continue. ${why ?? ''}`.trim()
          : `The agent needs access to your ${service} account. It never sees your password or token.`
      return { title: `Connect ${accountName(call)}?`, why: need, short: `Connect ${service}` }
    }
    default: {
      const act = describeCall(call)
      // A mark after a URL would look like a part of it.
      const mark = /:\/\/\S*$/.test(act.title) ? '' : '?'
      return { title: `${act.title}${mark}`, why: act.why, short: act.short }
    }
  }
}
