import { createHash, randomBytes } from 'node:crypto'
import { Browser } from '#tests/support/browser/browser.ts'
import type { ServedAcme } from '#tests/support/fakes/serve-acme.ts'

type Client = { clientId: string; clientSecret?: string; redirectUri: string }

/** The response of the token endpoint, successful or not. */
export type Tokens = {
  status: number
  access_token: string
  refresh_token: string
  scope: string
  error?: string
  error_description?: string
}

/** All scopes of Acme. */
export const everything = 'openid offline_access profile orders:read orders:write'

/**
 * Returns an authorization request with PKCE (RFC 7636, 4.3). `more` adds parameters, or removes those that are ''.
 */
export function startAuthorization(
  acme: ServedAcme,
  more: Record<string, string> = {},
  client: Client = acme
) {
  const verifier = randomBytes(32).toString('base64url')
  const parameters = {
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    response_type: 'code',
    scope: everything,
    state: 'the state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more
  }
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ''))
  return { url: `${acme.issuer}/authorize?${query}`, verifier }
}

/** Submits the two pages of Acme like a user would. Returns the page that follows. */
export async function completeFlow(
  browser: Browser,
  url: string,
  { person = 'ada', answer = 'allow' }: { person?: string; answer?: string } = {}
) {
  const signIn = await browser.open(url)
  const consent = signIn.text.includes('name="person"')
    ? await browser.press(signIn.url.href, { person })
    : signIn
  return browser.press(consent.url.href, { do: answer })
}

/** Calls the token endpoint as a client with its secret in the header, or as a public client. */
export async function redeem(
  acme: ServedAcme,
  fields: Record<string, string>,
  { clientId, clientSecret }: Partial<Client> = acme
): Promise<Tokens> {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const response = await fetch(`${acme.issuer}/token`, {
    method: 'POST',
    headers: clientSecret === undefined ? {} : { authorization: `Basic ${basic}` },
    body: new URLSearchParams(
      clientSecret === undefined ? { client_id: String(clientId), ...fields } : fields
    )
  })
  return { ...((await response.json()) as Tokens), status: response.status }
}

/** Connects Ada's account. Also returns the code and its verifier, so that tests can use them twice. */
export async function connectAda(acme: ServedAcme, more: Record<string, string> = {}) {
  const browser = new Browser(acme.origin)
  const { url, verifier } = startAuthorization(acme, more)
  const back = (await completeFlow(browser, url)).url
  const fields = {
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    redirect_uri: acme.redirectUri,
    code_verifier: verifier
  }
  return { browser, back, fields, tokens: await redeem(acme, fields) }
}

/** Redeems a refresh token. */
export const refresh = (acme: ServedAcme, token: string) =>
  redeem(acme, { grant_type: 'refresh_token', refresh_token: token })

/** Calls Acme's API. */
export async function call(acme: ServedAcme, path: string, token: string, init: RequestInit = {}) {
  const response = await fetch(`${acme.api}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers }
  })
  const body = (await response.json()) as Record<string, unknown>
  return { status: response.status, body, headers: response.headers }
}

/** Returns the callback URL to which Acme redirects the browser, without requesting it. */
export async function answerOfAcme(browser: Browser, url: string, answer: 'allow' | 'deny' = 'allow') {
  const signIn = await browser.open(url)
  const consent = signIn.text.includes('name="person"')
    ? await browser.press(signIn.url.href, { person: 'ada' })
    : signIn
  let response = await browser.ask(consent.url.href, {
    method: 'POST',
    headers: { origin: consent.url.origin, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ do: answer })
  })
  for (let location = consent.url; ; ) {
    location = new URL(response.headers.get('location') ?? '', location)
    if (location.pathname === '/api/connections/callback') return location
    response = await browser.ask(location.href)
  }
}

/** Enters a device code at Acme like Ada would, confirms it and answers. Returns the text of the last page. */
export async function enterCode(
  browser: Browser,
  { address, code }: { address: string; code: string },
  answer: 'allow' | 'deny' = 'allow'
): Promise<string> {
  const page = await browser.open(address)
  const fields = { xsrf: xsrfOf(page.text), user_code: code }
  const confirmed = await browser.press(page.url.href, { ...fields, confirm: 'yes' })
  const consent = confirmed.text.includes('name="person"')
    ? await browser.press(confirmed.url.href, { person: 'ada' })
    : confirmed
  return (await browser.press(consent.url.href, { do: answer })).text
}

/** Returns the XSRF token of Acme's device forms. */
export const xsrfOf = (text: string) => String(/name="xsrf" value="([^"]+)"/.exec(text)?.[1])

/** Registers a client at Acme (RFC 7591). */
export const register = async (acme: ServedAcme, more: Record<string, unknown> = {}) => {
  const response = await fetch(`${acme.issuer}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'A stranger',
      redirect_uris: ['http://127.0.0.1:7777/back'],
      token_endpoint_auth_method: 'none',
      ...more
    })
  })
  const body = (await response.json()) as { client_id?: string; client_secret?: string }
  return { status: response.status, ...body }
}

/** Requests device codes from Acme (RFC 8628). */
export const askDevice = async (acme: ServedAcme) => {
  const response = await fetch(`${acme.issuer}/device/authorize`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${acme.clientId}:${acme.clientSecret}`).toString('base64')}`
    },
    body: new URLSearchParams({ scope: everything })
  })
  return (await response.json()) as Record<string, string>
}
