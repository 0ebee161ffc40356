import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Env } from '#lib/kernel/env.ts'
import { house } from '#lib/kernel/house.ts'
import { log } from '#lib/kernel/log.ts'
import { isOfAcme } from '#lib/samples/acme/addresses.ts'
import type { Api } from './api.ts'

/** The sample services of local mode, in front of Next. Acme is loaded when somebody asks for it, and not before. */
export function openSamples(env: Pick<Env, 'local' | 'url' | 'authSecret'>): Api {
  if (!env.local) return () => false
  let opened: ReturnType<typeof openAcme> | undefined
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    opened ??= openAcme(env)
    const acme = await opened
    await acme(request, response)
  }
  return (request, response) => {
    if (!isOfAcme(request.url)) return false
    answer(request, response).catch(error => {
      opened = undefined
      log('error', 'the sample provider Acme could not answer', { error })
      if (response.headersSent) response.destroy()
      else response.writeHead(503).end('Acme could not be started. The log of this server says why.')
    })
    return true
  }
}

async function openAcme({ url: origin, authSecret: secret }: Pick<Env, 'url' | 'authSecret'>) {
  const { acmeProvider } = await import('#lib/samples/acme/provider.ts')
  const { sql, ports } = house()
  return acmeProvider({ sql, vault: ports.vault, origin, secret })
}
