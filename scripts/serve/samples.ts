import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Env } from '#lib/kernel/env.ts'
import { house } from '#lib/kernel/house.ts'
import { log } from '#lib/kernel/log.ts'
import { isOfAcme } from '#lib/samples/acme/addresses.ts'
import type { Api } from './api.ts'

/** The sample services of local mode, which are loaded when somebody asks for one. */
export function openSamples(env: Pick<Env, 'local' | 'url' | 'authSecret'>): Api {
  if (!env.local) return () => false
  let acme: ReturnType<typeof load> | undefined
  return (request: IncomingMessage, response: ServerResponse) => {
    if (!isOfAcme(request.url)) return false
    acme ??= load(env)
    acme
      .then(answer => answer(request, response))
      .catch(error => {
        acme = undefined
        log('error', 'Acme, the sample provider, could not be started', { error })
        response.writeHead(503).end()
      })
    return true
  }
}

async function load({ url: origin, authSecret: secret }: Pick<Env, 'url' | 'authSecret'>) {
  const { acmeProvider } = await import('#lib/samples/acme/provider.ts')
  const { sql, ports } = house()
  return acmeProvider({ sql, vault: ports.vault, origin, secret })
}
