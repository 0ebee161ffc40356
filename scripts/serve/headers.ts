import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { requestedPathHeader } from '#lib/auth/sign-in/requested-path-header.ts'
import { peerHeader } from '#lib/http/request/client-address.ts'
import type { Env } from '#lib/kernel/settings/env.ts'
import { isOfAcme } from './samples.ts'

/**
 * Sets the security headers of a response before any other code writes to it (ASVS 5.0, 3.4). Also sets the client
 * IP and the requested URL on the request.
 *
 * A page gets a Content Security Policy with its own nonce. Next reads the nonce from the request headers and adds
 * it to its scripts. Pages must therefore be rendered on request (`dynamic = 'force-dynamic'` in the root layout):
 * scripts of a page from the build have no nonce and do not run. With `strict-dynamic`, scripts that a plugin or a
 * file serves from our origin do not run in our pages.
 */
export function secure(request: IncomingMessage, response: ServerResponse, env: Env, dev: boolean) {
  setHeader(request, peerHeader, request.socket.remoteAddress ?? '')
  setHeader(request, requestedPathHeader, request.url ?? '/')
  for (const [name, value] of Object.entries(FIXED)) response.setHeader(name, value)
  if (ANSWER_PAGE.test(request.url ?? '') || CONNECT_PAGE.test(request.url ?? ''))
    response.setHeader('Referrer-Policy', 'no-referrer')
  // Pages of other origins open this window too and receive its outcome. It can pass through Acme, which behaves
  // like most providers. A single response with a different policy would cut the connection to the opener.
  if (CONNECT_PAGE.test(request.url ?? '') || isOfAcme(request.url))
    response.removeHeader('Cross-Origin-Opener-Policy')
  if (env.url.startsWith('https:')) response.setHeader('Strict-Transport-Security', 'max-age=31536000')
  const policy = policyFor(request.url ?? '/', env, dev)
  response.setHeader('Content-Security-Policy', policy)
  setHeader(request, 'content-security-policy', policy)
}

/**
 * Replaces a header of a request in both places, because a Fetch `Request` reads `rawHeaders` when it lists its
 * headers.
 */
function setHeader({ headers, rawHeaders }: IncomingMessage, name: string, value: string) {
  headers[name] = value
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2)
    if (rawHeaders[at]?.toLowerCase() === name) rawHeaders.splice(at, 2)
  rawHeaders.push(name, value)
}

const FIXED = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
  'Permissions-Policy': 'camera=(), payment=(), usb=(), geolocation=(self), microphone=(self)'
}

/** The URL of these pages is a credential, so no other page may receive it. They have one form and no scripts. */
const ANSWER_PAGE = /^\/(answer|local)\//

/**
 * The window in which a user connects an account. It has one form and one small script of ours, which polls the
 * status.
 */
const CONNECT_PAGE = /^\/(connect\/|api\/connections\/callback\b)/

function policyFor(url: string, env: Env, dev: boolean) {
  if (CONNECT_PAGE.test(url))
    return `default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${newNonce()}'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
  // Acme's pages set the policy that they need themselves.
  if (/^\/(api|external|_next\/static)\//.test(url) || isOfAcme(url))
    return "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
  if (ANSWER_PAGE.test(url))
    return "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
  const nonce = newNonce()
  return Object.entries({
    'default-src': "'none'",
    // React's development build evaluates code to reconstruct stack traces of the server.
    'script-src': `'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ''}`,
    // Dialogs and virtual lists set styles from code. With the other directives, styles alone cannot send data out.
    'style-src': "'self' 'unsafe-inline'",
    // Images of other origins are blocked: an agent's Markdown could send secrets in their URLs.
    'img-src': "'self' data: blob:",
    'media-src': "'self' blob:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'manifest-src': "'self'",
    'frame-src': "'self'",
    // Browsers also apply this to redirects after a form, and sign-in is a form that redirects to the provider.
    'form-action': ["'self'", ...env.signIn.map(({ issuer }) => new URL(issuer).origin)].join(' '),
    'base-uri': "'none'",
    'frame-ancestors': "'none'"
  })
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
}

const newNonce = () => randomBytes(16).toString('base64')
