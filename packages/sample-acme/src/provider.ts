import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors, Provider } from 'oidc-provider'
import { account } from './account.ts'
import { addressOf, enter } from './addresses.ts'
import { apiOf } from './api.ts'
import { acmeAt } from './client.ts'
import { faultPage, nothingPage, overPage } from './fault-page.ts'
import { goOn } from './form.ts'
import { interact } from './interact.ts'
import { signingKeys } from './keys.ts'
import { sendPage, severing, showPage } from './page.ts'
import { log } from './server.ts'
import { type AcmeOptions, settingsOf } from './settings.ts'

/**
 * Acme, the sample provider of local mode: an authorization server (`oidc-provider`) with pages and an API, at
 * `/samples/acme` of this server. What is given is for requests whose address is Acme's. All it knows is in the
 * database, so that any process may answer any step, also after a restart.
 */
export async function acmeProvider(
  options: AcmeOptions
): Promise<(request: IncomingMessage, response: ServerResponse) => Promise<void>> {
  const { issuer } = acmeAt(options.origin, options.secret)
  const provider = new Provider(issuer, settingsOf(options, await signingKeys(options)))
  const fault = (error: unknown) => log('error', 'Acme, the sample provider, failed', { error })
  provider.proxy = true
  provider.on('server_error', (_, error) => fault(error))
  // Koa's own, which its types of events leave out; unheard it would write to the console.
  const koa: EventEmitter = provider
  koa.on('error', fault)
  provider.use(async (ctx, next) => {
    await next()
    if (ctx.status === 404 && ctx.body === undefined) showPage(ctx, nothingPage)
  })
  const standard = provider.callback()
  const api = apiOf(options, provider)

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { path, query } = enter(request, issuer)
    if (query.get('acme_coop') === '1')
      for (const [name, value] of Object.entries(severing)) response.setHeader(name, value)
    if (path === '/') return goOn(response, addressOf('/account'))
    if (path === '/account') return account(options, provider, request, response)
    if (path.startsWith('/api/')) return api(path, request, response)
    if (/^\/interaction\/[\w-]+$/.test(path)) return interact(provider, request, response)
    // The page that posts itself back (`response_mode=form_post`) adds the hash of its one script to this.
    response.setHeader(
      'content-security-policy',
      "default-src 'none'; script-src 'none'; frame-ancestors 'none'"
    )
    await standard(request, response)
  }
  return async (request, response) => {
    try {
      await answer(request, response)
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return sendPage(response, overPage)
      fault(error)
      if (response.headersSent) response.destroy()
      else sendPage(response, faultPage('server_error', undefined, 500))
    }
  }
}
