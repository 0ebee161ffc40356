import type { EgressPolicy } from '#lib/net/egress-policy.ts'
import type { PluginAddress } from './address.ts'
import { askHooks } from './ask-hooks.ts'
import { askModel } from './ask-model.ts'
import { askSelf } from './ask-self.ts'
import { askStream } from './ask-stream.ts'
import { askTools } from './ask-tools.ts'
import { askViews } from './ask-views.ts'
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
    ...askSelf(channel),
    ...askTools(channel),
    ...askModel(channel),
    ...askViews(channel),
    ...askStream(channel),
    ...askHooks(channel),
    /** Ends every open call with "unavailable" and rejects new ones. */
    close: channel.close
  }
}
