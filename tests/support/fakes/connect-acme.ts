import { createHash, randomBytes } from 'node:crypto'
import { Browser } from '#tests/support/browser/browser.ts'
import type { ServedAcme } from '#tests/support/fakes/serve-acme.ts'

type Client = { clientId: string; clientSecret?: string; redirectUri: string }

/** What the token endpoint says, whichever way it went. */
export type Tokens = {
  status: number
  access_token: string
  refresh_token: string
  scope: string
  error?: string
  error_description?: string
}

export const everything = 'openid offline_access profile orders:read orders:write'

/** An authorization request with PKCE (RFC 7636, 4.3); `more` adds to it, or takes away what is ''. */
export function asking(acme: ServedAcme, more: Record<string, string> = {}, client: Client = acme) {
  const verifier = randomBytes(32).toString('base64url')
  const wanted = {
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    response_type: 'code',
    scope: everything,
    state: 'the state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more
  }
  const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value !== ''))
  return { url: `${acme.issuer}/authorize?${query}`, verifier }
}

/** Answers the two pages of Acme as a person would; where that led. */
export async function goThrough(
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

/** The token endpoint, as a client that has its secret in the header, or none. */
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

/** Ada connects. The code and its verifier are given too, for who wants to use them twice. */
export async function connectAda(acme: ServedAcme, more: Record<string, string> = {}) {
  const browser = new Browser(acme.origin)
  const { url, verifier } = asking(acme, more)
  const back = (await goThrough(browser, url)).url
  const fields = {
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    redirect_uri: acme.redirectUri,
    code_verifier: verifier
  }
  return { browser, back, fields, tokens: await redeem(acme, fields) }
}

export const refresh = (acme: ServedAcme, token: string) =>
  redeem(acme, { grant_type: 'refresh_token', refresh_token: token })

/** A call of Acme's API. */
export async function call(acme: ServedAcme, path: string, token: string, init: RequestInit = {}) {
  const response = await fetch(`${acme.api}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers }
  })
  const body = (await response.json()) as Record<string, unknown>
  return { status: response.status, body, headers: response.headers }
}

/** The address with which Acme sends the browser back, before anybody has looked at it. */
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
  for (let at = consent.url; ; ) {
    at = new URL(response.headers.get('location') ?? '', at)
    if (at.pathname === '/api/connections/callback') return at
    response = await browser.ask(at.href)
  }
}

/** Enters a code of a device at Acme as Ada would, compares it and answers; what she is shown in the end. */
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

/** The token of Acme's forms of devices. */
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

/** Asks Acme for the codes of a device (RFC 8628). */
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
