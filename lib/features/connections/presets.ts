import { IntegrationConfig } from '@waystation/protocol/connection/integration.ts'

/**
 * Integrations for services with known addresses. For OAuth, an owner must register this server at the
 * service and save the client ID and secret. With a user's own token they work at once.
 */
export const presets: readonly IntegrationConfig[] = [
  IntegrationConfig.parse({
    integration: 'github',
    service: 'GitHub',
    description: 'Issues, files and pull requests in the repositories that the account can access.',
    apiBase: 'https://api.github.com/',
    oauth: {
      authorizationEndpoint: 'https://github.com/login/oauth/authorize',
      tokenEndpoint: 'https://github.com/login/oauth/access_token',
      deviceAuthorizationEndpoint: 'https://github.com/login/device/code',
      grants: ['authorization_code', 'device_code'],
      clientAuth: 'client_secret_post',
      scopes: ['repo', 'read:user']
    },
    apiKey: {
      fields: [
        {
          name: 'token',
          label: 'Personal access token',
          help: 'GitHub → Settings → Developer settings. Use a fine-grained token for only the repositories that the agent needs.'
        }
      ],
      header: { name: 'authorization', value: 'Bearer {token}' }
    },
    account: { path: 'user', field: 'login' }
  }),
  IntegrationConfig.parse({
    integration: 'google',
    service: 'Google',
    description: 'Calendar and Drive.',
    apiBase: 'https://www.googleapis.com/',
    origins: [
      'https://gmail.googleapis.com',
      'https://docs.googleapis.com',
      'https://sheets.googleapis.com',
      'https://slides.googleapis.com',
      'https://people.googleapis.com',
      'https://tasks.googleapis.com'
    ],
    oauth: {
      issuer: 'https://accounts.google.com',
      clientAuth: 'client_secret_post',
      scopes: ['openid', 'email', 'https://www.googleapis.com/auth/drive.readonly'],
      parameters: { access_type: 'offline', prompt: 'consent' }
    }
  }),
  IntegrationConfig.parse({
    integration: 'linear',
    service: 'Linear',
    description: 'Issues and projects in a Linear workspace.',
    apiBase: 'https://api.linear.app/',
    oauth: {
      authorizationEndpoint: 'https://linear.app/oauth/authorize',
      tokenEndpoint: 'https://api.linear.app/oauth/token',
      revocationEndpoint: 'https://api.linear.app/oauth/revoke',
      clientAuth: 'client_secret_post',
      scopes: ['read', 'issues:create']
    },
    apiKey: {
      fields: [{ name: 'key', label: 'API key', help: 'Linear → Settings → Security & access → API.' }],
      header: { name: 'authorization', value: '{key}' }
    }
  }),
  IntegrationConfig.parse({
    integration: 'notion',
    service: 'Notion',
    description: 'Pages that are shared with the integration.',
    apiBase: 'https://api.notion.com/',
    oauth: {
      authorizationEndpoint: 'https://api.notion.com/v1/oauth/authorize',
      tokenEndpoint: 'https://api.notion.com/v1/oauth/token',
      scopes: [],
      parameters: { owner: 'user' }
    },
    apiKey: {
      fields: [
        { name: 'secret', label: 'Internal integration secret', help: 'notion.so → My integrations.' }
      ],
      header: { name: 'authorization', value: 'Bearer {secret}' }
    }
  }),
  IntegrationConfig.parse({
    integration: 'slack',
    service: 'Slack',
    description: 'Channels and messages in a Slack workspace.',
    apiBase: 'https://slack.com/api/',
    oauth: {
      authorizationEndpoint: 'https://slack.com/oauth/v2/authorize',
      tokenEndpoint: 'https://slack.com/api/oauth.v2.access',
      revocationEndpoint: 'https://slack.com/api/auth.revoke',
      clientAuth: 'client_secret_post',
      scopes: ['channels:read', 'channels:history', 'chat:write']
    },
    apiKey: {
      fields: [{ name: 'token', label: 'Bot token', help: 'Starts with xoxb-.' }],
      header: { name: 'authorization', value: 'Bearer {token}' }
    },
    account: { path: 'auth.test', field: 'team' }
  })
]
