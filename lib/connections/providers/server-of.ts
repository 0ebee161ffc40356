import { LRUCache } from 'lru-cache'
import * as oauth from 'openid-client'
import type { Ctx, Outbound } from '#lib/kernel/ctx.ts'
import { digestOf } from '#lib/kernel/digest.ts'
import { isLoopback } from '#lib/kernel/is-loopback.ts'
import type { OAuthConfig } from '#lib/protocol/integration.ts'
import { ProviderRefused } from './provider.ts'

type Asked = { service: string; config: OAuthConfig; clientSecret?: string | undefined }

/** What was looked up of an authorization server, by its issuer. Nothing of a client is in it. */
const known = new LRUCache<string, oauth.ServerMetadata>({ max: 200, ttl: 10 * 60_000 })

/** How long a provider may take to answer one request, in seconds. */
const patience = 10

/**
 * An authorization server and this client of it. Its metadata is looked up where the configuration names an issuer
 * (Discovery 1.0, else RFC 8414), and believed for ten minutes. Throws what `openid-client` throws.
 */
export async function serverOf(
  ctx: Ctx,
  { service, config, clientSecret }: Asked
): Promise<oauth.Configuration> {
  const auth = authOf(config, clientSecret)
  const metadata = config.issuer === undefined ? namedIn(config) : await lookUp(ctx, config.issuer)
  const methods = metadata.code_challenge_methods_supported
  if (methods !== undefined && !methods.includes('S256'))
    throw new ProviderRefused(`${service} does not support PKCE with S256, so nothing is asked of it.`)
  const server = new oauth.Configuration(metadata, config.clientId, clientSecret, auth)
  if (mayBePlain(metadata.issuer)) oauth.allowInsecureRequests(server)
  server[oauth.customFetch] = fetchOver(ctx.ports.fetch)
  server.timeout = patience
  return server
}

async function lookUp(ctx: Ctx, issuer: string): Promise<oauth.ServerMetadata> {
  const found = known.get(issuer)
  if (found !== undefined) return found
  const options = {
    [oauth.customFetch]: fetchOver(ctx.ports.fetch),
    timeout: patience,
    execute: mayBePlain(issuer) ? [oauth.allowInsecureRequests] : []
  }
  const look = (algorithm: 'oidc' | 'oauth2') =>
    oauth.discovery(new URL(issuer), 'looking', undefined, oauth.None(), { ...options, algorithm })
  const server = await look('oidc').catch(async (first: unknown) =>
    look('oauth2').catch(() => Promise.reject(first))
  )
  const metadata = { ...server.serverMetadata() }
  known.set(issuer, metadata)
  return metadata
}

/** Endpoints that were named one by one have no issuer; what stands for it is told apart from every true one. */
const namedIn = (config: OAuthConfig): oauth.ServerMetadata => ({
  issuer: `${config.tokenEndpoint}#${digestOf(config.authorizationEndpoint).slice(0, 8)}`,
  authorization_endpoint: config.authorizationEndpoint,
  token_endpoint: config.tokenEndpoint,
  ...(config.revocationEndpoint === undefined ? {} : { revocation_endpoint: config.revocationEndpoint })
})

function authOf({ clientAuth }: OAuthConfig, clientSecret: string | undefined): oauth.ClientAuth {
  if (clientAuth === 'none' || clientSecret === undefined) return oauth.None()
  return clientAuth === 'client_secret_post'
    ? oauth.ClientSecretPost(clientSecret)
    : oauth.ClientSecretBasic(clientSecret)
}

/** Plain HTTP is for this machine only. */
function mayBePlain(address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'http:' && isLoopback(url.hostname)
}

/**
 * The library's requests, by the one way out. A refusal that is told in the body of a 200 (GitHub's) gets the status that
 * RFC 6749, 5.2 gives it, since that is what the library reads.
 */
const fetchOver =
  (fetch: Outbound): oauth.CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const answer = await fetch(url, {
      method,
      headers: { ...headers, accept: 'application/json' },
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      redirect: 'manual',
      maxBytes: 1024 * 1024,
      ...(signal === undefined || signal === null ? {} : { signal })
    })
    const empty = [204, 205, 304].includes(answer.status)
    const refused = answer.status === 200 && method === 'POST' && isRefusal(answer.text())
    return new Response(empty ? null : new Uint8Array(answer.body), {
      status: refused ? 400 : answer.status,
      headers: answer.headers
    })
  }

function isRefusal(text: string): boolean {
  if (!text.includes('"error"')) return false
  try {
    const said: unknown = JSON.parse(text)
    return typeof said === 'object' && said !== null && 'error' in said && !('access_token' in said)
  } catch {
    return false
  }
}
