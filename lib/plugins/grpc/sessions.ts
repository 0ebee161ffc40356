import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type ClientSessionRequestOptions,
  connect,
  type OutgoingHttpHeaders,
  type SecureClientSessionOptions
} from 'node:http2'
import type { TLSSocket } from 'node:tls'
import type { EgressPolicy } from '#lib/net/egress-policy.ts'
import { pinnedLookup } from '#lib/net/pinned-lookup.ts'
import { permittedAddresses } from '#lib/net/target.ts'
import type { PluginAddress } from './address.ts'
import { PluginError } from './plugin-error.ts'
import type { PluginTls } from './read-tls.ts'

/** How long a connection may take, in milliseconds; and the memory that one may hold, in megabytes. */
const dialMs = 10_000
const maxSessionMemory = 64

/**
 * The HTTP/2 connection to one plugin, made when it is needed and made anew when it is lost. Each is resolved, checked by the
 * policy and pinned, as any connection of this server is. The library's own manager of sessions has moments in which
 * nobody listens to a session's errors: what a broken server sends then ends this process. This one listens from its beginning
 * to its end.
 */
export class Sessions {
  readonly authority: string
  readonly #address: PluginAddress
  readonly #policy: EgressPolicy
  readonly #tls: PluginTls
  readonly #open = new Set<ClientHttp2Session>()
  #current: Promise<ClientHttp2Session> | undefined

  constructor(
    address: PluginAddress,
    { policy, tls = {} }: { policy: EgressPolicy; tls?: PluginTls | undefined }
  ) {
    this.authority = address.url.origin
    this.#address = address
    this.#policy = policy
    this.#tls = tls
  }

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
        // It was lost between then and now.
        if ((!session.closed && !session.destroyed) || tries > 2) throw error
        this.#current = undefined
      }
    }
  }

  /** There are no pings that this could put off. */
  notifyResponseByteRead(): void {}

  /** Ends every connection with all that is open on it. */
  abort(reason: Error): void {
    this.#current = undefined
    for (const session of this.#open) session.destroy(reason)
  }

  #session(): Promise<ClientHttp2Session> {
    if (this.#current !== undefined) return this.#current
    const mine = this.#dial(() => {
      if (this.#current === mine) this.#current = undefined
    })
    this.#current = mine
    return mine
  }

  async #dial(lost: () => void): Promise<ClientHttp2Session> {
    try {
      const { target, secure } = this.#address
      const addresses = await permittedAddresses(this.#policy, target)
      const session = connect(this.authority, {
        lookup: pinnedLookup(addresses),
        maxSessionMemory,
        ...(secure ? optionsOf(this.#tls) : {})
      })
      this.#open.add(session)
      session.on('error', lost)
      session.on('goaway', lost)
      session.once('close', () => {
        this.#open.delete(session)
        lost()
      })
      const late = setTimeout(() => session.destroy(new Error('the connection took too long')), dialMs)
      await new Promise((resolve, reject) => {
        session.once('error', reject)
        session.once('close', () => reject(secure ? refused() : new Error('it closed the connection')))
        if (!secure) return void session.once('connect', resolve)
        session.once('connect', () => {
          const other = otherPin(session, this.#tls.pin)
          if (other !== undefined) session.destroy(other)
          // Without an open call Node tells an alert of the server on the socket alone.
          else session.socket.once('error', reject)
        })
        // A server that refuses the client's certificate does so after the client's side is connected.
        session.once('remoteSettings', resolve)
      }).finally(() => clearTimeout(late))
      return session
    } catch (error) {
      lost()
      throw error
    }
  }
}

/**
 * With `ca` its authorities alone are trusted. With a pin and no `ca` the fingerprint alone decides: TLS itself proves that the
 * plugin has the certificate's key.
 */
const optionsOf = ({ ca, pin, cert, key }: PluginTls): SecureClientSessionOptions => ({
  ...(ca === undefined ? {} : { ca }),
  ...(cert === undefined ? {} : { cert }),
  ...(key === undefined ? {} : { key }),
  rejectUnauthorized: pin === undefined || ca !== undefined
})

const refused = () =>
  new PluginError(
    'unavailable',
    'The plugin closed the TLS connection immediately. It may require another “client_certificate”.'
  )

/** Why the certificate of a connection is not the pinned one. Nothing of a call was sent by then. */
function otherPin(session: ClientHttp2Session, pin: string | undefined): PluginError | undefined {
  if (pin === undefined) return undefined
  const found = (session.socket as TLSSocket).getPeerX509Certificate()?.fingerprint256
  const fingerprint = found?.replaceAll(':', '').toLowerCase()
  if (fingerprint === pin) return undefined
  return new PluginError(
    'unavailable',
    `The plugin's certificate was rejected: its fingerprint ${fingerprint} does not match “pin”.`
  )
}
