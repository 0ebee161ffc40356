import type { EgressPolicy } from '#lib/net/egress-policy.ts'
import type { PluginAddress } from './address.ts'
import { hookCalls } from './ask-hooks.ts'
import { modelCalls } from './ask-model.ts'
import { selfCalls } from './ask-self.ts'
import { streamCalls } from './ask-stream.ts'
import { toolCalls } from './ask-tools.ts'
import { viewCalls } from './ask-views.ts'
import { openChannel } from './channel.ts'
import type { PluginTls } from './read-tls.ts'

/** All calls of a plugin, typed and validated, and `close` for its connection. */
export type PluginCalls = ReturnType<typeof connectPlugin>

/**
 * Returns the calls of the plugin at an address. Their results are checked for size and cleaned. Errors are
 * thrown as `PluginError`, except in `executeTool`, which always returns an outcome. `policy` decides whether
 * the address can be called.
 */
export function connectPlugin(
  address: PluginAddress,
  options: { policy: EgressPolicy; token?: string | undefined; tls?: PluginTls | undefined }
) {
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
