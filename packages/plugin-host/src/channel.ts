import type { Transport } from '@connectrpc/connect'
import { createGrpcTransport } from '@connectrpc/connect-node'
import type { EgressPolicy } from '@waystation/egress'
import type { PluginAddress } from './address.ts'
import { cancelSignal } from './cancel-signal.ts'
import type { CallOrigin, PluginCall } from './contract.ts'
import { closed, explain } from './explain.ts'
import { maxMessageBytes } from './limits.ts'
import { PluginError } from './plugin-error.ts'
import type { PluginTls } from './read-tls.ts'
import { Sessions } from './sessions.ts'

/** Options of one call: its origin, a signal that stops it, and a time limit in milliseconds instead of the default. */
export type CallOptions = PluginCall & { timeoutMs?: number | undefined }

/** The options of a call as the transport takes them. */
type TransportOptions = {
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  headers: Record<string, string>
}

/** The connection to one plugin, shared by all its calls. */
export type Channel = {
  transport: Transport
  /** Runs a call within its time limit. Throws its errors as `PluginError`. */
  ask<T>(usualMs: number, call: (options: TransportOptions) => Promise<T>, options?: CallOptions): Promise<T>
  /** Throws `PluginError` when the channel is closed. */
  admit(): void
  /** Ends every open call with "unavailable" and rejects new ones. */
  close(why: string): void
}

export type ChannelOptions = {
  policy: EgressPolicy
  token?: string | undefined
  tls?: PluginTls | undefined
  /** Sent with each call. */
  workspaceId?: string | undefined
  /** Called after the connection was lost. The next call opens another one. */
  onLost?: (() => void) | undefined
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
  { policy, token, tls, workspaceId, onLost }: ChannelOptions
): Channel {
  const sessions = new Sessions(address, { policy, tls, onLost })
  const transport = createGrpcTransport({
    baseUrl: address.url.href,
    sessionManager: sessions,
    readMaxBytes: maxMessageBytes,
    writeMaxBytes: maxMessageBytes,
    acceptCompression: [],
    interceptors: [
      next => request => {
        if (token !== undefined) request.header.set('authorization', `Bearer ${token}`)
        if (workspaceId !== undefined) request.header.set('x-waystation-workspace', ascii(workspaceId))
        return next(request)
      }
    ]
  })
  let closedBecause: string | undefined
  let hasAnswered = false
  const admit = () => {
    if (closedBecause !== undefined) throw new PluginError('unavailable', closedBecause)
  }
  return {
    transport,
    admit,
    async ask(usualMs, call, { signal, timeoutMs = usualMs, ...origin } = {}) {
      const cancel = cancelSignal(signal)
      try {
        admit()
        const answer = await call({ signal: cancel.signal, timeoutMs, headers: metadataOf(origin) })
        hasAnswered = true
        return answer
      } catch (error) {
        if (closedBecause !== undefined && !signal?.aborted) throw closedError(closedBecause, error)
        const explained = explain(error, signal)
        const mayNeedTls = !hasAnswered && token === undefined && address.url.protocol === 'http:'
        if (!mayNeedTls || explained.message !== closed) throw explained
        throw closedError(`${closed} If it uses TLS, start its address with remotes://.`, error)
      } finally {
        cancel.release()
      }
    },
    close(why) {
      if (closedBecause !== undefined) return
      closedBecause = why
      sessions.abort(new Error(why))
    }
  }
}

/** Returns the origin of a call as gRPC metadata. */
export function metadataOf({
  sessionId,
  userId,
  callId,
  idempotencyKey
}: CallOrigin): Record<string, string> {
  const entries = Object.entries({
    'x-waystation-session': sessionId,
    'x-waystation-user': userId,
    'x-waystation-call': callId,
    'x-waystation-idempotency-key': idempotencyKey
  })
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, ascii(value)] as const]))
  )
}

/** Metadata is ASCII. All other characters, and `%`, are percent-encoded as in a URL. */
const ascii = (value: string): string =>
  value.toWellFormed().replace(/[^\x20-\x24\x26-\x7e]/gu, character => encodeURIComponent(character))

const closedError = (why: string, cause: unknown) => new PluginError('unavailable', why, { cause })
