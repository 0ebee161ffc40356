import { findPackageJSON } from 'node:module'

export { acmeIntegration } from './integration.ts'
export { openServices, type ServiceOptions } from './services.ts'
export { acmeTools } from './tools.ts'

// The library is loaded with the first request for Acme. Throws ERR_MODULE_NOT_FOUND now where it is not installed.
findPackageJSON('oidc-provider', import.meta.url)
