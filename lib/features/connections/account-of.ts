import type { Ctx } from '#lib/kernel/ctx.ts'
import type { CredentialKind } from '#lib/protocol/connection/connection.ts'
import { isJsonObject } from '#lib/protocol/json-object.ts'
import type { Credential } from './credential.ts'
import { headerOf } from './header-of.ts'
import type { Integration } from './integration.ts'
import { type Granted, ProviderRefused } from './providers/provider.ts'
import { refusalOf } from './providers/refused.ts'

/**
 * Asks the service whose credential this is, where the integration says how. One that the service does not accept is
 * refused here, before it is kept: `ProviderRefused`. Undefined: the integration does not say how.
 */
export async function accountOf(
  ctx: Ctx,
  integration: Integration,
  mode: CredentialKind,
  credential: Credential
): Promise<string | undefined> {
  const { account, apiBase, service } = integration
  if (account === undefined) return undefined
  const url = new URL(account.path, apiBase.endsWith('/') ? apiBase : `${apiBase}/`)
  const answer = await ctx.ports
    .fetch(url.href, {
      headers: { accept: 'application/json', ...headerOf(integration, mode, credential) },
      maxBytes: 1024 * 1024,
      timeout: 10_000
    })
    .catch((error: unknown) => {
      throw refusalOf(service, error)
    })
  if (answer.status === 401 || answer.status === 403)
    throw new ProviderRefused(
      `${service} rejected these credentials (${answer.status}). Check them and enter them again.`
    )
  if (answer.status >= 300)
    throw new ProviderRefused(`${service} returned ${answer.status} when Waystation looked up the account.`, {
      again: true
    })
  return nameIn(answer.text(), account.field)
}

/**
 * What a provider gave, with whose account it is as far as that can be learned: one without a name is an account too. Asked of
 * the integration as it was when it was given, since its address may be another one by now.
 */
export async function named(
  ctx: Ctx,
  integration: Integration,
  asked: string[],
  granted: Granted
): Promise<Granted> {
  const scopes = granted.scopes.length > 0 ? granted.scopes : asked
  const account = granted.account ?? (await nameIfAny(ctx, integration, granted.credential))
  return { ...granted, scopes, ...(account === undefined ? {} : { account }) }
}

async function nameIfAny(ctx: Ctx, integration: Integration, credential: Credential) {
  try {
    return await accountOf(ctx, integration, 'oauth', credential)
  } catch (error) {
    if (error instanceof ProviderRefused) return undefined
    throw error
  }
}

function nameIn(text: string, field: string): string | undefined {
  try {
    const said: unknown = JSON.parse(text)
    const name = isJsonObject(said) ? said[field] : undefined
    return typeof name === 'string' && name !== '' ? name.slice(0, 200) : undefined
  } catch {
    return undefined
  }
}
