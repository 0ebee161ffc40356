import type { IncomingMessage, ServerResponse } from 'node:http'
import { dispatcher } from './dispatcher.ts'
import { fetchPage } from './fetch-page.ts'
import type { AcmeOptions } from './settings.ts'

/** The database, the vault, the public origin of this server and `AUTH_SECRET`. */
export type ServiceOptions = Pick<AcmeOptions, 'sql' | 'vault' | 'origin' | 'secret'>

/**
 * Answers requests below `/samples/`, and those for Acme's metadata: a page to fetch, an external system and the OAuth
 * provider. The provider and its library are loaded with the first request for it. Rejects when it cannot start.
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
