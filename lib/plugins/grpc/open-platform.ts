import { isLoopback } from '#lib/kernel/is-loopback.ts'
import type { Conversation, ConversationEvent } from '#lib/kernel/ports/plugin-host.ts'
import { newToken } from './new-token.ts'
import type { PlatformAddress, PluginSource } from './reach.ts'
import { servePlatform } from './serve-platform.ts'

/** How plugins on other machines reach this one: by which name, and on which ports, the last one included. */
export type PlatformPlace = { name: string; ports: { first: number; last: number } }

/**
 * Serves PlatformHost for one plugin (003-17): for a plugin on this machine on a port of loopback, for a plugin elsewhere on the
 * first free port of `place`. Both need the token. Undefined: the plugin is elsewhere, and there is no such place.
 *
 * @throws Error when all ports of `place` are taken
 */
export async function openPlatform({
  workspaceId,
  source,
  place,
  run
}: {
  workspaceId: string
  source: PluginSource
  place: PlatformPlace | undefined
  run: (conversation: Conversation) => AsyncIterable<ConversationEvent>
}): Promise<(PlatformAddress & { close: () => Promise<void> }) | undefined> {
  const token = newToken()
  if (source.kind === 'local' || isLoopback(source.address.target.host)) {
    const listen = { host: '127.0.0.1', port: 0 }
    const { port, close } = await servePlatform({ workspaceId, token, listen, run })
    return { address: `127.0.0.1:${port}`, token, close }
  }
  if (place === undefined) return undefined
  const { first, last } = place.ports
  for (let port = first; port <= last; port++) {
    try {
      const listen = { host: '::', port }
      const { close } = await servePlatform({ workspaceId, token, listen, run })
      return { address: `${place.name}:${port}`, token, close }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
  throw new Error(
    `All ports of WAYSTATION_PLATFORM_HOST (${first} to ${last}) are in use. Set a larger range.`
  )
}
