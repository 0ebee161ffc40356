import { once } from 'node:events'
import { createSecureServer, createServer, type ServerHttp2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { Code, ConnectError, type ConnectRouter, type Interceptor } from '@connectrpc/connect'
import { connectNodeAdapter } from '@connectrpc/connect-node'
import { maxMessageBytes } from '@waystation/plugin-host/limits.ts'
import { isToken } from '@waystation/plugin-host/token.ts'

/**
 * A certificate and its key, as PEM texts. With `clientCa`, only clients with a certificate of one of these authorities
 * can connect.
 */
export type ListenTls = { certificate: string; key: string; clientCa?: string | undefined }

/**
 * `address` is `host:port`; port 0 picks a free one. With `token`, only calls that have it are answered. `env` has the
 * variables of the program. Default: those of this process.
 */
export type ListenOptions = {
  address: string
  token?: string | undefined
  tls?: ListenTls | undefined
  env?: Readonly<Record<string, string | undefined>>
}

/** A plugin that listens. `close` ends its open calls. */
export type Listening = { address: string; close(): Promise<void> }

/** Serves gRPC. */
export async function listen(
  routes: (router: ConnectRouter) => void,
  { address, token, tls }: Omit<ListenOptions, 'env'>
): Promise<Listening> {
  const interceptors = token === undefined ? [] : [onlyWith(token)]
  const adapter = connectNodeAdapter({
    connect: false,
    grpcWeb: false,
    acceptCompression: [],
    readMaxBytes: maxMessageBytes,
    writeMaxBytes: maxMessageBytes,
    interceptors,
    routes
  })
  const limits = { maxSessionMemory: 64 }
  const server = tls
    ? createSecureServer({ ...limits, ...secureOptions(tls) }, adapter)
    : createServer(limits, adapter)
  const sessions = new Set<ServerHttp2Session>()
  server.on('session', session => {
    sessions.add(session)
    session.on('error', () => undefined).once('close', () => sessions.delete(session))
  })
  server.on('sessionError', () => undefined)
  const [, host, port] = /^\[?(.*?)\]?:(\d+)$/.exec(address) ?? []
  if (port === undefined)
    throw new Error(`“${address}” is not an address. Use host:port, such as 127.0.0.1:9010.`)
  server.listen(Number(port), host === '' ? undefined : host)
  await once(server, 'listening')
  return {
    address: shownAddress(server.address() as AddressInfo),
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const session of sessions) session.destroy()
      await closed
    }
  }
}

const secureOptions = ({ certificate, key, clientCa }: ListenTls) => ({
  cert: certificate,
  key,
  ...(clientCa !== undefined && { ca: clientCa, requestCert: true, rejectUnauthorized: true })
})

const shownAddress = ({ address, family, port }: AddressInfo) =>
  family === 'IPv6' ? `[${address}]:${port}` : `${address}:${port}`

/** Other programs on this machine can reach the port too, so only callers with the token get a response. */
const onlyWith =
  (token: string): Interceptor =>
  next =>
  request => {
    const [, given] = /^Bearer (.+)$/.exec(request.header.get('authorization') ?? '') ?? []
    if (given === undefined || !isToken(given, token))
      throw new ConnectError('Send PLUGIN_TOKEN as authorization: Bearer …', Code.Unauthenticated)
    return next(request)
  }
