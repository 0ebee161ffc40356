import { createClient } from '@connectrpc/connect'
import type { StreamPerson } from '#lib/kernel/ports/plugin-host.ts'
import type { CallOptions, Channel } from './channel.ts'
import { explain } from './explain.ts'
import { ViewProvider } from './generated/view_pb.ts'
import { most } from './limits.ts'
import { PluginError } from './plugin-error.ts'

/** The two-way streams of a plugin (003-14). */
export function askStream(channel: Channel) {
  const client = createClient(ViewProvider, channel.transport)
  return {
    /**
     * Relays bytes both ways, unread. Nothing is taken from `outgoing` before the plugin has room for it, and nothing from the
     * plugin before the loop asks. Aborting, or leaving the loop, ends the call; the end of `outgoing` tells the plugin so,
     * and it may go on speaking. Without a deadline. Throws `PluginError`.
     */
    async *handleStream(
      person: StreamPerson,
      outgoing: AsyncIterable<Uint8Array>,
      { signal }: Pick<CallOptions, 'signal'> = {}
    ): AsyncGenerator<Uint8Array> {
      const over = new AbortController()
      const until = AbortSignal.any([over.signal, ...(signal ? [signal] : [])])
      async function* messages() {
        const { workspaceId, userId, userEmail } = person
        yield { metadata: { workspace_id: workspaceId, user_id: userId, user_email: userEmail } }
        for await (const data of outgoing) yield { data: new Uint8Array(data) }
      }
      try {
        channel.admit()
        for await (const { data } of client.handleStream(messages(), { signal: until })) {
          if (data.length > most.streamMessage)
            throw new PluginError('too-large', `A stream message is larger than ${most.streamMessage} bytes.`)
          yield data
        }
      } catch (error) {
        throw explain(error, signal)
      } finally {
        over.abort()
      }
    }
  }
}
