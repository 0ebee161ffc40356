import { acmeAt } from './client.ts'
import { IntegrationConfig } from './server.ts'

/**
 * Returns the integration `acme` and its client secret. In local mode it is configured in every workspace, so users
 * can connect an account at once. Pass the public origin of the server and `AUTH_SECRET`.
 */
export function acmeIntegration(
  origin: string,
  secret: string
): IntegrationConfig & { clientSecret: string } {
  const { issuer, api, clientId, clientSecret } = acmeAt(origin, secret)
  const config = IntegrationConfig.parse({
    integration: 'acme',
    service: 'Acme',
    description: 'A sample service with orders. It needs no external account.',
    apiBase: api,
    oauth: {
      issuer,
      clientId,
      grants: ['authorization_code', 'device_code'],
      scopes: ['openid', 'offline_access', 'profile', 'orders:read', 'orders:write'],
      resource: api
    },
    account: { path: 'me', field: 'name' }
  })
  return { ...config, clientSecret }
}
