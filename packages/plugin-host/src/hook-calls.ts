import { createClient } from '@connectrpc/connect'
import type { CallOptions, Channel } from './channel.ts'
import type { LifecycleAnswer, LifecycleEvent } from './contract.ts'
import { Action, EventType, LifecycleHook } from './generated/lifecycle_pb.ts'
import { deadlines, limits } from './limits.ts'
import { PluginError } from './plugin-error.ts'
import { parseUntrustedJson } from './untrusted.ts'

/** Returns the hook call of a plugin (003-15). It throws `PluginError`. */
export function hookCalls(channel: Channel) {
  const client = createClient(LifecycleHook, channel.transport)
  return {
    /**
     * Sends an event and returns whether the plugin continues, cancels or modifies it. The modified payload is
     * parsed but not validated.
     */
    async onEvent(
      { type, agentName, payload }: LifecycleEvent,
      options?: CallOptions
    ): Promise<LifecycleAnswer> {
      const payloadJson = new TextEncoder().encode(JSON.stringify(payload))
      const event = { type: EventType[type], agentName, payloadJson }
      const response = await channel.ask(deadlines.onEvent, o => client.onEvent(event, o), options)
      if (response.action === Action.CANCEL) return { action: 'cancel' }
      if (response.action !== Action.MODIFY) return { action: 'continue' }
      if (response.modifiedPayloadJson === undefined)
        throw new PluginError('invalid', 'The plugin returned MODIFY without a payload.')
      const text = new TextDecoder().decode(response.modifiedPayloadJson)
      return { action: 'modify', payload: parseUntrustedJson(text, limits.payload, 'The modified payload') }
    }
  }
}
