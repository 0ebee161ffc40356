import type { Transport } from '@connectrpc/connect'
import { createGrpcTransport } from '@connectrpc/connect-node'
import type { EgressPolicy } from '@waystation/egress'
import type { PluginAddress } from './address.ts'
import { explain } from './explain.ts'
import { maxMessageBytes } from './limits.ts'
import { PluginError } from './plugin-error.ts'
import type { PluginTls } from './read-tls.ts'
import { Sessions } from './sessions.ts'

/** Options of one call: a signal that stops it, and a time limit in milliseconds instead of the default. */
export type CallOptions = { signal?: AbortSignal | undefined; timeoutMs?: number | undefined }

/** The connection to one plugin, shared by all its calls. */
export type Channel = {
  transport: Transport
  /** Runs a call within its time limit. Throws its errors as `PluginError`. */
  ask<T>(usualMs: number, call: (options: CallOptions) => Promise<T>, options?: CallOptions): Promise<T>
  /** Throws `PluginError` when the channel is closed. */
  admit(): void
  /** Ends every open call with "unavailable" and rejects new ones. */
  close(why: string): void
}

/**
 * Opens a channel. It connects with the first call (`sessions.ts`). It sends no HTTP/2 pings, because Python
 * servers close a connection that does: `Health` is the heartbeat. Compressed messages are not accepted,
 * because a small one could decompress to a huge one.
 *
 * @param token sent with each call as `authorization: Bearer …`
 * @param tls how to verify the plugin, and the client certificate to present (`sessions.ts`)
 */
export function openChannel(
  address: PluginAddress,
  { policy, token, tls }: { policy: EgressPolicy; token?: string | undefined; tls?: PluginTls | undefined }
): Channel {
  const sessions = new Sessions(address, { policy, tls })
  const transport = createGrpcTransport({
    baseUrl: address.url.href,
    sessionManager: sessions,
    readMaxBytes: maxMessageBytes,
    writeMaxBytes: maxMessageBytes,
    acceptCompression: [],
    interceptors: [
      next => request => {
        if (token !== undefined) request.header.set('authorization', `Bearer ${token}`)
        return next(request)
      }
    ]
  })
  let closedBecause: string | undefined
  const admit = () => {
    if (closedBecause !== undefined) throw new PluginError('unavailable', closedBecause)
  }
  return {
    transport,
    admit,
    async ask(usualMs, call, { signal, timeoutMs = usualMs } = {}) {
      try {
        admit()
        return await call({ signal, timeoutMs })
      } catch (error) {
        throw closedBecause !== undefined && !signal?.aborted
          ? closedError(closedBecause, error)
          : explain(error, signal)
      }
    },
    close(why) {
      if (closedBecause !== undefined) return
      closedBecause = why
      sessions.abort(new Error(why))
    }
  }
}

const closedError = (why: string, cause: unknown) => new PluginError('unavailable', why, { cause })
