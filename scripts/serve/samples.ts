import type { IncomingMessage, ServerResponse } from 'node:http'
import { log } from '@waystation/base/log.ts'
import { loadSamples, samplesMissing } from '#lib/compose/samples.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import type { Env } from '#lib/kernel/settings/env.ts'
import type { Api } from './api.ts'

/**
 * Returns true if a request's URL belongs to Acme. In metadata URLs, the well-known part is in front of the
 * issuer's path (RFC 8414, 3.1).
 */
export const isOfAcme = (url = ''): boolean =>
  /^\/samples\/acme(?=[/?]|$)/.test(url) ||
  /^\/\.well-known\/(oauth-authorization-server|openid-configuration)\/samples\/acme(?=\?|$)/.test(url)

const isOfSamples = (url = ''): boolean => isOfAcme(url) || /^\/samples\/(page|dispatcher)(?=\?|$)/.test(url)

/**
 * Serves the sample services of local mode in front of Next. They are loaded on the first request for one of them.
 */
export function openSamples(env: Pick<Env, 'local' | 'url' | 'authSecret'>): Api {
  if (!env.local) return () => false
  let opened: ReturnType<typeof open> | undefined
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    opened ??= open(env)
    const services = await opened
    if (services === undefined)
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end(samplesMissing)
    else await services(request, response)
  }
  return (request, response) => {
    if (!isOfSamples(request.url)) return false
    answer(request, response).catch(error => {
      opened = undefined
      log('error', 'a sample service failed', { error })
      if (response.headersSent) response.destroy()
      else response.writeHead(503).end('The sample service could not start. See the server log.')
    })
    return true
  }
}

async function open({ url: origin, authSecret: secret }: Pick<Env, 'url' | 'authSecret'>) {
  const { sql, ports } = runtime()
  const samples = await loadSamples()
  return samples?.openServices({ sql, vault: ports.vault, origin, secret })
}
