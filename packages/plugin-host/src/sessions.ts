import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type ClientSessionRequestOptions,
  connect,
  type OutgoingHttpHeaders,
  type SecureClientSessionOptions
} from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { type EgressPolicy, permittedAddresses, pinnedLookup } from '@waystation/egress'
import type { PluginAddress } from './address.ts'
import { PluginError } from './plugin-error.ts'
import type { PluginTls } from './read-tls.ts'

/** Time limit for connecting, in milliseconds, and memory limit of one connection, in megabytes. */
const dialMs = 10_000
const maxSessionMemory = 64

/**
 * The HTTP/2 connection to one plugin. It is opened on first use and again after it is lost. Each time, the
 * host is resolved, checked against the policy and pinned, as for every outgoing connection. It replaces the
 * library's session manager, which at times has no listener for session errors. An error from a broken server
 * would then end this process. This class always has one. `onLost` is called after a connection has ended that this
 * class did not close.
 */
export class Sessions {
  readonly authority: string
  readonly #address: PluginAddress
  readonly #policy: EgressPolicy
  readonly #tls: PluginTls
  readonly #open = new Set<ClientHttp2Session>()
  readonly #onLost: () => void
  #aborted = false
  #current: Promise<ClientHttp2Session> | undefined

  constructor(
    address: PluginAddress,
    {
      policy,
      tls = {},
      onLost = () => undefined
    }: { policy: EgressPolicy; tls?: PluginTls | undefined; onLost?: (() => void) | undefined }
  ) {
    this.authority = address.url.origin
    this.#address = address
    this.#policy = policy
    this.#tls = tls
    this.#onLost = onLost
  }

  /** Sends a request, on a new connection if the current one was lost. Throws if it cannot connect. */
  async request(
    method: string,
    path: string,
    headers: OutgoingHttpHeaders,
    options: Omit<ClientSessionRequestOptions, 'signal'>
  ): Promise<ClientHttp2Stream> {
    for (let tries = 0; ; tries++) {
      const session = await this.#session()
      try {
        return session.request({ ...headers, ':method': method, ':path': path }, options)
      } catch (error) {
        // The connection was lost after `#session()` returned it.
        if ((!session.closed && !session.destroyed) || tries > 2) throw error
        this.#current = undefined
      }
    }
  }

  /** Does nothing: the library calls it to postpone pings, and this class sends none. */
  notifyResponseByteRead(): void {}

  /** Closes all connections and their open streams. */
  abort(reason: Error): void {
    this.#current = undefined
    this.#aborted = true
    for (const session of this.#open) session.destroy(reason)
  }

  #session(): Promise<ClientHttp2Session> {
    if (this.#current !== undefined) return this.#current
    const dialed = this.#dial(() => {
      if (this.#current === dialed) this.#current = undefined
    })
    this.#current = dialed
    return dialed
  }

  async #dial(onLost: () => void): Promise<ClientHttp2Session> {
    try {
      const { target, secure } = this.#address
      const addresses = await permittedAddresses(this.#policy, target)
      const session = connect(this.authority, {
        lookup: pinnedLookup(addresses),
        maxSessionMemory,
        ...(secure ? connectOptions(this.#tls) : {})
      })
      this.#open.add(session)
      session.on('error', onLost)
      session.on('goaway', onLost)
      session.once('close', () => {
        this.#open.delete(session)
        onLost()
      })
      const timer = setTimeout(() => session.destroy(new Error('the connection took too long')), dialMs)
      await new Promise((resolve, reject) => {
        session.once('error', reject)
        session.once('close', () => reject(secure ? closedError() : new Error('it closed the connection')))
        if (!secure) return void session.once('connect', resolve)
        session.once('connect', () => {
          // Node emits this also if the connection was lost meanwhile, and has no socket then.
          if (session.destroyed) return
          const pinError = pinMismatch(session, this.#tls.pin)
          if (pinError !== undefined) session.destroy(pinError)
          // Without an open stream, Node reports a TLS alert from the server only on the socket.
          else session.socket.once('error', reject)
        })
        // A server that rejects the client's certificate does so only after `connect`, so wait for its
        // settings.
        session.once('remoteSettings', resolve)
      }).finally(() => clearTimeout(timer))
      session.once('close', () => this.#aborted || this.#onLost())
      return session
    } catch (error) {
      onLost()
      throw error
    }
  }
}

/**
 * With `ca`, only its authorities are trusted. With a pin and no `ca`, only the fingerprint decides: TLS itself
 * proves that the plugin has the certificate's key.
 */
const connectOptions = ({ ca, pin, cert, key }: PluginTls): SecureClientSessionOptions => ({
  ...(ca === undefined ? {} : { ca }),
  ...(cert === undefined ? {} : { cert }),
  ...(key === undefined ? {} : { key }),
  rejectUnauthorized: pin === undefined || ca !== undefined
})

const closedError = () =>
  new PluginError(
    'unavailable',
    'The plugin closed the TLS connection immediately. It may require another “client_certificate”.'
  )

/** Returns an error if the peer certificate does not match the pin. Runs before any call is sent. */
function pinMismatch(session: ClientHttp2Session, pin: string | undefined): PluginError | undefined {
  if (pin === undefined) return undefined
  const colonHex = (session.socket as TLSSocket).getPeerX509Certificate()?.fingerprint256
  const fingerprint = colonHex?.replaceAll(':', '').toLowerCase()
  if (fingerprint === pin) return undefined
  return new PluginError(
    'unavailable',
    `The plugin's certificate was rejected: its fingerprint ${fingerprint} does not match “pin”.`
  )
}
