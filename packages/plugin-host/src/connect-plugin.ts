import type { PluginAddress } from './address.ts'
import { type ChannelOptions, openChannel } from './channel.ts'
import { hookCalls } from './hook-calls.ts'
import { modelCalls } from './model-calls.ts'
import { selfCalls } from './self-calls.ts'
import { streamCalls } from './stream-calls.ts'
import { toolCalls } from './tool-calls.ts'
import { viewCalls } from './view-calls.ts'

/** All calls of a plugin, typed and validated, and `close` for its connection. */
export type PluginCalls = ReturnType<typeof connectPlugin>

/**
 * Returns the calls of the plugin at an address. Their results are checked for size and cleaned. Errors are
 * thrown as `PluginError`, except in `executeTool`, which always returns an outcome. `policy` decides whether
 * the address can be called.
 */
export function connectPlugin(address: PluginAddress, options: ChannelOptions) {
  const channel = openChannel(address, options)
  return {
    ...selfCalls(channel),
    ...toolCalls(channel),
    ...modelCalls(channel),
    ...viewCalls(channel),
    ...streamCalls(channel),
    ...hookCalls(channel),
    /** Ends every open call with "unavailable" and rejects new ones. */
    close: channel.close
  }
}
