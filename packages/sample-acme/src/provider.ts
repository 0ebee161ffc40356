import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors, Provider } from 'oidc-provider'
import { handleAccount } from './account.ts'
import { apiOf } from './api.ts'
import { acmeAt } from './client.ts'
import { errorPage, expiredPage, notFoundPage } from './error-page.ts'
import { seeOther } from './form.ts'
import { handleInteraction } from './interaction.ts'
import { signingKeys } from './keys.ts'
import { acmePath, mountRequest } from './mount.ts'
import { isolationHeaders, sendPage, showPage } from './page.ts'
import { log } from './server.ts'
import { type AcmeOptions, settingsOf } from './settings.ts'

/**
 * Creates Acme, the sample OAuth provider of local mode, and returns its request handler. Acme consists of an
 * authorization server (`oidc-provider`), pages and an API, at `/samples/acme` of this server.
 *
 * Pass only requests whose URL belongs to Acme. The handler logs errors and responds with an error page. All state is
 * in the database, so any process can handle any step, also after a restart.
 *
 * Rejects if the signing keys cannot be read or stored.
 */
export async function acmeProvider(
  options: AcmeOptions
): Promise<(request: IncomingMessage, response: ServerResponse) => Promise<void>> {
  const { issuer } = acmeAt(options.origin, options.secret)
  const provider = new Provider(issuer, settingsOf(options, await signingKeys(options)))
  const logError = (error: unknown) => log('error', 'Acme, the sample provider, failed', { error })
  provider.proxy = true
  provider.on('server_error', (_, error) => logError(error))
  // The provider's types omit Koa's `error` event. Without a listener, Koa writes errors to the console.
  const koa: EventEmitter = provider
  koa.on('error', logError)
  provider.use(async (ctx, next) => {
    await next()
    if (ctx.status === 404 && ctx.body === undefined) showPage(ctx, notFoundPage)
  })
  const handleOidc = provider.callback()
  const handleApi = apiOf(options, provider)

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { path, query } = mountRequest(request, issuer)
    if (query.get('acme_coop') === '1')
      for (const [name, value] of Object.entries(isolationHeaders)) response.setHeader(name, value)
    if (path === '/') return seeOther(response, acmePath('/account'))
    if (path === '/account') return handleAccount(options, provider, request, response)
    if (path.startsWith('/api/')) return handleApi(path, request, response)
    if (/^\/interaction\/[\w-]+$/.test(path)) return handleInteraction(provider, request, response)
    // With `response_mode=form_post`, oidc-provider adds the hash of its page's only script to this policy.
    response.setHeader(
      'content-security-policy',
      "default-src 'none'; script-src 'none'; frame-ancestors 'none'"
    )
    await handleOidc(request, response)
  }
  return async (request, response) => {
    try {
      await handle(request, response)
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return sendPage(response, expiredPage)
      logError(error)
      if (response.headersSent) response.destroy()
      else sendPage(response, errorPage('server_error', undefined, 500))
    }
  }
}
