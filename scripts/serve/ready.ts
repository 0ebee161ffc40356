import { linkMinutes } from '#lib/auth/sign-in/local-link.ts'
import type { Env } from '#lib/kernel/settings/env.ts'

/** `Waystation is ready: http://localhost:3000 (local mode, demo model)`: who may come in and which model answers. */
export function readyLine(env: Env): string {
  const role = env.role === 'all' ? [] : [`${env.role} only`]
  const providers = env.signIn.map(({ provider }) => provider).join(', ')
  const mode = env.local ? 'local mode' : providers ? `sign-in with ${providers}` : 'API keys only'
  const model = env.openai ? `models from ${modelHost(env.openai.baseUrl)}` : 'demo model'
  return `Waystation is ready: ${env.url} (${[...role, mode, model].join(', ')})`
}

/** The line that makes the first owner (docs/people.md): it stands in no log of ours, only where the server was started. */
export const claimLine = (link: string): string =>
  `This Waystation has no owner yet. To become the owner, open this link and sign in. It works once: ${link}`

/** The line that signs in the local owner. It is in no log of ours. */
export const localLine = (link: string): string =>
  `Open this link to sign in. It works once, within ${linkMinutes} minutes. For another link, run "npm run link": ${link}`

function modelHost(baseUrl = 'https://api.openai.com/v1') {
  return new URL(baseUrl).host
}
