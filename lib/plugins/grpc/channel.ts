import type { Transport } from '@connectrpc/connect'
import { createGrpcTransport } from '@connectrpc/connect-node'
import type { EgressPolicy } from '#lib/net/egress-policy.ts'
import type { PluginAddress } from './address.ts'
import { explain } from './explain.ts'
import { mostBytes } from './limits.ts'
import { PluginError } from './plugin-error.ts'
import type { PluginTls } from './read-tls.ts'
import { Sessions } from './sessions.ts'

/** Of one call: when the caller gives up, and how long it may take if not as long as usual. Milliseconds. */
export type CallOptions = { signal?: AbortSignal | undefined; timeoutMs?: number | undefined }

/** A connection to one plugin that all of its calls share. */
export type Channel = {
  transport: Transport
  /** Runs a call within its time; what goes wrong is thrown as `PluginError`. */
  ask<T>(usualMs: number, call: (options: CallOptions) => Promise<T>, options?: CallOptions): Promise<T>
  /** Throws `PluginError` when the channel is closed. */
  admit(): void
  /** Ends every open call with "unavailable", and takes no more. */
  close(why: string): void
}

/**
 * Opens a channel. Nothing is dialled before the first call (`sessions.ts`). There are no HTTP/2 pings: servers in Python end a
 * connection for them, and `Health` is the heartbeat. Packed messages are not taken, so that a small one cannot become large.
 *
 * @param token goes with each call as `authorization: Bearer …`
 * @param tls how the plugin is recognized, and what the server shows to it (`sessions.ts`)
 */
export function openChannel(
  address: PluginAddress,
  { policy, token, tls }: { policy: EgressPolicy; token?: string | undefined; tls?: PluginTls | undefined }
): Channel {
  const sessions = new Sessions(address, { policy, tls })
  const transport = createGrpcTransport({
    baseUrl: address.url.href,
    sessionManager: sessions,
    readMaxBytes: mostBytes,
    writeMaxBytes: mostBytes,
    acceptCompression: [],
    interceptors: [
      next => request => {
        if (token !== undefined) request.header.set('authorization', `Bearer ${token}`)
        return next(request)
      }
    ]
  })
  let closed: string | undefined
  const admit = () => {
    if (closed !== undefined) throw new PluginError('unavailable', closed)
  }
  return {
    transport,
    admit,
    async ask(usualMs, call, { signal, timeoutMs = usualMs } = {}) {
      try {
        admit()
        return await call({ signal, timeoutMs })
      } catch (error) {
        throw closed !== undefined && !signal?.aborted ? gone(closed, error) : explain(error, signal)
      }
    },
    close(why) {
      if (closed !== undefined) return
      closed = why
      sessions.abort(new Error(why))
    }
  }
}

const gone = (why: string, cause: unknown) => new PluginError('unavailable', why, { cause })
