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

/** Every call of a plugin, typed and checked, and the end of its connection. */
export type PluginCalls = ReturnType<typeof connectPlugin>

/**
 * The calls of the plugin at an address. What it answers is measured and made safe before it is handed on; what goes wrong is a
 * `PluginError`, but for `executeTool`, which always comes to an outcome. `policy` decides whether the address may be called.
 */
export function connectPlugin(
  address: PluginAddress,
  way: { policy: EgressPolicy; token?: string | undefined; tls?: PluginTls | undefined }
) {
  const channel = openChannel(address, way)
  return {
    ...askSelf(channel),
    ...askTools(channel),
    ...askModel(channel),
    ...askViews(channel),
    ...askStream(channel),
    ...askHooks(channel),
    /** Ends every open call with "unavailable" and takes no more. */
    close: channel.close
  }
}
