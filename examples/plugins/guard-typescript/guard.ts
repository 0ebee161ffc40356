#!/usr/bin/env node
/** A plugin with hooks. README.md says how to run it, and docs/plugins-grpc.md describes the whole contract. */
import { type HookMessage, PluginError, plugin } from '@waystation/plugin'

let blocked: string[] = []
let secrets = /$^/g

const hide = (text: string) => text.replaceAll(secrets, '[secret]')

/**
 * Removes secrets from the text and arguments. Keeps IDs and names, because a result refers to its call by them.
 */
const withoutSecrets = (message: HookMessage): HookMessage => ({
  ...message,
  content: hide(message.content),
  ...(message.tool_calls && {
    tool_calls: message.tool_calls.map(call => ({ ...call, arguments_json: hide(call.arguments_json) }))
  })
})

await plugin({
  name: 'guard',
  version: '1.0.0',
  description: 'Blocks tools and hides secrets from models',
  author: 'Waystation',
  settings: {
    blocked_tools: {
      type: 'string',
      description: 'Tools that no agent can call, separated by commas',
      placeholder: 'web-fetch, zx-script'
    },
    secrets: {
      type: 'string',
      default: 'sk-[A-Za-z0-9]{16,}',
      description: 'A regular expression. Models do not see the text that it matches.'
    }
  },
  register({ settings }) {
    try {
      secrets = new RegExp(settings.secrets, 'g')
    } catch (error) {
      const reason = error instanceof Error ? error.message : error
      throw new PluginError('INVALID_ARGUMENT', `“secrets” is not a regular expression: ${reason}`)
    }
    blocked = (settings.blocked_tools ?? '').split(',').map(tool => tool.trim())
  },
  // The plugin receives only the events for which it has a hook.
  hooks: {
    TOOL_CALL: ({ tool_name: tool }) => (blocked.includes(tool) ? 'CANCEL' : undefined),
    LLM_REQUEST(event) {
      const messages = event.messages.map(withoutSecrets)
      const isUnchanged = JSON.stringify(messages) === JSON.stringify(event.messages)
      return isUnchanged ? undefined : { modify: { ...event, messages } }
    }
  }
}).serve({ listen: '127.0.0.1:9012' })
