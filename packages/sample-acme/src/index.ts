import { findPackageJSON } from 'node:module'

export { acmeIntegration } from './integration.ts'
export { openServices, type ServiceOptions } from './services.ts'
export { acmeTools } from './tools.ts'

// `oidc-provider` is imported only with the first request for Acme. If it is not installed, this line throws
// ERR_MODULE_NOT_FOUND, so the import of this package fails at once.
findPackageJSON('oidc-provider', import.meta.url)
