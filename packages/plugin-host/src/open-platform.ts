import { isLoopback } from '@waystation/base/is-loopback.ts'
import type { PlatformAddress, PluginSource } from './connect-source.ts'
import type { Conversation, ConversationEvent } from './contract.ts'
import { servePlatform } from './serve-platform.ts'
import { newToken } from './token.ts'

/**
 * The host name and the range of ports (both inclusive) at which plugins on other machines reach this server.
 */
export type PlatformEndpoint = { name: string; ports: { first: number; last: number } }

/**
 * Serves PlatformHost for one plugin (003-17). A plugin on this machine gets a free loopback port, a remote
 * plugin the first free port of `place`. Both need the token. Returns undefined for a remote plugin if `place`
 * is not set.
 *
 * @throws Error if all ports of `place` are in use
 */
export async function openPlatform({
  workspaceId,
  source,
  place,
  run
}: {
  workspaceId: string
  source: PluginSource
  place: PlatformEndpoint | undefined
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
