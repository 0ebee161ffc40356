import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/**
 * A user with an account at a fake provider. `verified` says whether the provider has verified the email address.
 */
export type FakePerson = { account: string; name: string; login: string; email?: string; verified?: boolean }

/** An authorization that was granted, until its code is redeemed. */
export type Grant = { person: FakePerson; nonce: string | undefined }

/** A running fake provider. */
export type FakeProvider = {
  /** `http://localhost:<port>`. */
  url: string
  clientId: string
  clientSecret: string
  /** The parameters of each authorization request. */
  asked: URLSearchParams[]
  stop(): Promise<void>
}

type Paths = {
  authorize: string
  token: string
  /** The response to a redeemed code, and to a rejected one. */
  redeemed(grant: Grant, url: string): Record<string, unknown>
  refused(response: ServerResponse, error: string): void
  /** Handles all other requests. */
  other(request: IncomingMessage, response: ServerResponse, url: string): void
  /** True if it adds its issuer to the redirect (RFC 9207). */
  iss?: boolean
}

/** Sends a JSON response. */
export const sendJson = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/**
 * The authorization code flow with PKCE (RFC 6749, 4.1; RFC 7636) of a fake provider on its own port. Its page
 * lists the users. A choice redirects with a code, and "Decline" with `access_denied`. A code can be redeemed once,
 * by its own client, for its own redirect URI and with its own verifier.
 */
export async function startCodeFlow(people: readonly FakePerson[], paths: Paths): Promise<FakeProvider> {
  const [clientId, clientSecret] = ['waystation', 'a secret of the fake provider: 100 % + more']
  const requests: URLSearchParams[] = []
  const codes = new Map<string, Grant & { redirect: string; challenge: string }>()
  let url = ''

  const authorize = (query: URLSearchParams, response: ServerResponse) => {
    requests.push(query)
    const links = [...people.map(({ account, name }) => [account, name]), ['', 'Decline']].map(
      ([account, name]) =>
        `<p><a href="/choose?${new URLSearchParams([...query, ['account', account!]])}">${name}</a></p>`
    )
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><html lang="en"><title>Fake</title><h1>Who are you?</h1>${links.join('')}</html>`)
  }

  const choose = (query: URLSearchParams, response: ServerResponse) => {
    const callback = new URL(query.get('redirect_uri') ?? '')
    const person = people.find(({ account }) => account === query.get('account'))
    callback.searchParams.set('state', query.get('state') ?? '')
    if (paths.iss) callback.searchParams.set('iss', url)
    if (person === undefined) callback.searchParams.set('error', 'access_denied')
    else {
      const code = randomUUID()
      codes.set(code, {
        person,
        nonce: query.get('nonce') ?? undefined,
        redirect: query.get('redirect_uri') ?? '',
        challenge: query.get('code_challenge') ?? ''
      })
      callback.searchParams.set('code', code)
    }
    response.writeHead(302, { location: callback.href }).end()
  }

  const redeem = async (request: IncomingMessage, response: ServerResponse) => {
    const body = new URLSearchParams(await text(request))
    const [user = '', secret = ''] = Buffer.from(request.headers.authorization?.split(' ')[1] ?? '', 'base64')
      .toString()
      .split(':')
      .map(part => decodeURIComponent(part.replaceAll('+', ' ')))
    if (user !== clientId || secret !== clientSecret) return paths.refused(response, 'invalid_client')
    const code = body.get('code') ?? ''
    const grant = codes.get(code)
    codes.delete(code)
    const verifier = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    if (grant?.redirect !== body.get('redirect_uri') || grant?.challenge !== verifier)
      return paths.refused(response, 'invalid_grant')
    sendJson(response, paths.redeemed(grant, url))
  }

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === paths.authorize) return authorize(searchParams, response)
    if (pathname === '/choose') return choose(searchParams, response)
    if (pathname === paths.token && request.method === 'POST') return void redeem(request, response)
    paths.other(request, response, url)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  url = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    url,
    clientId,
    clientSecret,
    asked: requests,
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    }
  }
}
