import { createClient } from '@connectrpc/connect'
import { cancelSignal } from './cancel-signal.ts'
import { type Channel, metadataOf } from './channel.ts'
import type { PluginCall, StreamPerson } from './contract.ts'
import { explain } from './explain.ts'
import { ViewProvider } from './generated/view_pb.ts'
import { limits } from './limits.ts'
import { PluginError } from './plugin-error.ts'

/** Returns the bidirectional stream call of a plugin (003-14). */
export function streamCalls(channel: Channel) {
  const client = createClient(ViewProvider, channel.transport)
  return {
    /**
     * Relays bytes in both directions without reading them, with backpressure. The call ends if `signal` aborts
     * or the caller leaves the loop. If only `outgoing` ends, the plugin can still send. Has no deadline.
     * Throws `PluginError`.
     */
    async *handleStream(
      person: StreamPerson,
      outgoing: AsyncIterable<Uint8Array>,
      { signal, ...origin }: PluginCall = {}
    ): AsyncGenerator<Uint8Array> {
      const done = new AbortController()
      const cancel = cancelSignal(signal)
      const stopped = AbortSignal.any([done.signal, cancel.signal])
      async function* requests() {
        const { workspaceId, userId, userEmail } = person
        yield { metadata: { workspace_id: workspaceId, user_id: userId, user_email: userEmail } }
        for await (const data of outgoing) yield { data: new Uint8Array(data) }
      }
      try {
        channel.admit()
        for await (const { data } of client.handleStream(requests(), {
          signal: stopped,
          headers: metadataOf(origin)
        })) {
          if (data.length > limits.streamMessage)
            throw new PluginError(
              'too-large',
              `A stream message is larger than ${limits.streamMessage} bytes.`
            )
          yield data
        }
      } catch (error) {
        throw explain(error, signal)
      } finally {
        done.abort()
        cancel.release()
      }
    }
  }
}
