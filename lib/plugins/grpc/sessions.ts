import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type ClientSessionRequestOptions,
  connect,
  type OutgoingHttpHeaders
} from 'node:http2'
import type { EgressPolicy } from '#lib/net/egress-policy.ts'
import { pinnedLookup } from '#lib/net/pinned-lookup.ts'
import { permittedAddresses } from '#lib/net/target.ts'
import type { PluginAddress } from './address.ts'

/** How long a connection may take, in milliseconds; and the memory that one may hold, in megabytes. */
const dialMs = 10_000
const maxSessionMemory = 64

/**
 * The HTTP/2 connection to one plugin, made when it is needed and made anew when it is lost. Each is resolved, checked by the
 * policy and pinned, as any connection of the house is. The library's own manager of sessions has moments in which
 * nobody listens to a session's errors: what a broken server sends then ends this process. This one listens from its beginning
 * to its end.
 */
export class Sessions {
  readonly authority: string
  readonly #address: PluginAddress
  readonly #policy: EgressPolicy
  readonly #ca: string | undefined
  readonly #open = new Set<ClientHttp2Session>()
  #current: Promise<ClientHttp2Session> | undefined

  constructor(address: PluginAddress, { policy, ca }: { policy: EgressPolicy; ca?: string | undefined }) {
    this.authority = address.url.origin
    this.#address = address
    this.#policy = policy
    this.#ca = ca
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
        ...(secure && this.#ca !== undefined ? { ca: this.#ca } : {})
      })
      this.#open.add(session)
      session.on('error', lost)
      session.on('goaway', lost)
      session.once('close', () => {
        this.#open.delete(session)
        lost()
      })
      const late = setTimeout(() => session.destroy(new Error('It took too long to connect.')), dialMs)
      await new Promise((resolve, reject) => {
        session.once('connect', resolve).once('error', reject)
        session.once('close', () => reject(new Error('It hung up.')))
      }).finally(() => clearTimeout(late))
      return session
    } catch (error) {
      lost()
      throw error
    }
  }
}
