import { linkMinutes } from '#lib/auth/sign-in/local-link.ts'
import type { Env } from '#lib/kernel/settings/env.ts'
import { serverProviders } from '#lib/models/configured.ts'
import { resolveModelSpec } from '#lib/models/registry.ts'

/**
 * Returns the line for a ready server, such as `Waystation is ready: http://localhost:3000 (local mode, demo
 * model)`. It names the sign-in method and the model.
 */
export function readyLine(env: Env): string {
  const role = env.role === 'all' ? [] : [`${env.role} only`]
  const providers = env.signIn.map(({ provider }) => provider).join(', ')
  const mode = env.local ? 'local mode' : providers ? `sign-in with ${providers}` : 'API keys only'
  const models = { providers: serverProviders(env.environment), defaultModel: env.defaultModel }
  const name = resolveModelSpec('default', models)
  const model = name === 'demo/demo' ? 'demo model' : `model ${name}`
  return `Waystation is ready: ${env.url} (${[...role, mode, model].join(', ')})`
}

/**
 * Returns the line with the link that creates the first owner (docs/people.md). It is printed to the terminal and
 * never logged.
 */
export const claimLine = (link: string): string =>
  `This Waystation has no owner yet. To become the owner, open this link and sign in. It works once: ${link}`

/** Returns the line with the link that signs in the local owner. It is never logged. */
export function localLine(link: string): string {
  const { port } = new URL(link)
  const command = port === '' || port === '3000' ? 'npm run link' : `PORT=${port} npm run link`
  return `Open this link to sign in. It works once, within ${linkMinutes} minutes. For another link, run "${command}": ${link}`
}
