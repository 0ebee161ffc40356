import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { askedHeader } from '#lib/auth/sign-in/asked-header.ts'
import { peerHeader } from '#lib/http/request/client-address.ts'
import type { Env } from '#lib/kernel/settings/env.ts'
import { isOfAcme } from './samples.ts'

/**
 * Puts the security headers on a response before anybody else writes to it (ASVS 5.0, 3.4), and on the request whose
 * connection it came by.
 *
 * A page gets a Content Security Policy with a nonce of its own. Next reads it from the request's headers and signs
 * its scripts with it, so pages must be rendered on request (`dynamic = 'force-dynamic'` in the root layout): one
 * made at build time would have scripts without nonce, which do not run. With `strict-dynamic`, a script that
 * somebody else (a plugin, a file) serves from our origin does not run in our pages.
 */
export function secure(request: IncomingMessage, response: ServerResponse, env: Env, dev: boolean) {
  setHeader(request, peerHeader, request.socket.remoteAddress ?? '')
  setHeader(request, askedHeader, request.url ?? '/')
  for (const [name, value] of Object.entries(FIXED)) response.setHeader(name, value)
  if (ANSWER_PAGE.test(request.url ?? '') || CONNECT_PAGE.test(request.url ?? ''))
    response.setHeader('Referrer-Policy', 'no-referrer')
  // Its window is opened by pages of elsewhere too, and tells them how it ended; and on its way it may come by Acme, which
  // is as most providers are. One policy that differs from the others cuts the window off.
  if (CONNECT_PAGE.test(request.url ?? '') || isOfAcme(request.url))
    response.removeHeader('Cross-Origin-Opener-Policy')
  if (env.url.startsWith('https:')) response.setHeader('Strict-Transport-Security', 'max-age=31536000')
  const policy = policyFor(request.url ?? '/', env, dev)
  response.setHeader('Content-Security-Policy', policy)
  setHeader(request, 'content-security-policy', policy)
}

/** Replaces a header of a request in both forms: a Fetch `Request` reads its headers from `rawHeaders` once it lists them. */
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

/** Its address is a credential: no other page is told it, and it has one form and no scripts. */
const ANSWER_PAGE = /^\/(answer|local)\//

/** The window in which an account is connected: one form, one small script of ours, which looks how it stands. */
const CONNECT_PAGE = /^\/(connect\/|api\/connections\/callback\b)/

function policyFor(url: string, env: Env, dev: boolean) {
  if (CONNECT_PAGE.test(url))
    return `default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${newNonce()}'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
  // Acme's pages say for themselves what they need beside.
  if (/^\/(api|external|_next\/static)\//.test(url) || isOfAcme(url))
    return "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
  if (ANSWER_PAGE.test(url))
    return "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
  const nonce = newNonce()
  return Object.entries({
    'default-src': "'none'",
    // React's development build evaluates code to rebuild the server's stacks.
    'script-src': `'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ''}`,
    // Dialogs and virtual lists set styles from code; styles alone cannot send anything out, given the rest.
    'style-src': "'self' 'unsafe-inline'",
    // No foreign images: an agent's Markdown could carry secrets out in their addresses.
    'img-src': "'self' data: blob:",
    'media-src': "'self' blob:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'manifest-src': "'self'",
    'frame-src': "'self'",
    // Browsers hold a form's redirects to it too, and signing in is a form that redirects there.
    'form-action': ["'self'", ...env.signIn.map(({ issuer }) => new URL(issuer).origin)].join(' '),
    'base-uri': "'none'",
    'frame-ancestors': "'none'"
  })
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
}

const newNonce = () => randomBytes(16).toString('base64')
