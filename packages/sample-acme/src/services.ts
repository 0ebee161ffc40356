import type { IncomingMessage, ServerResponse } from 'node:http'
import { dispatcher } from './dispatcher.ts'
import { fetchPage } from './fetch-page.ts'
import type { AcmeOptions } from './settings.ts'

/** The database, the vault, the public origin of this server and `AUTH_SECRET`. */
export type ServiceOptions = Pick<AcmeOptions, 'sql' | 'vault' | 'origin' | 'secret'>

/**
 * Returns the handler of the sample services: a page to fetch, a system behind an external tool, and the OAuth
 * provider Acme. Pass only requests below `/samples/` and requests for Acme's metadata.
 *
 * The handler imports Acme and `oidc-provider` with the first request for Acme. It rejects if Acme cannot start. To
 * try again, call `openServices` again.
 */
export function openServices(
  options: ServiceOptions
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  let acme: ReturnType<typeof openAcme> | undefined
  return async (request, response) => {
    const [path] = (request.url ?? '').split('?', 1)
    if (path === '/samples/page') return fetchPage(response)
    if (path === '/samples/dispatcher') return dispatcher(options.origin, request, response)
    acme ??= openAcme(options)
    await (await acme)(request, response)
  }
}

async function openAcme(options: AcmeOptions) {
  const { acmeProvider } = await import('./provider.ts')
  return acmeProvider(options)
}
