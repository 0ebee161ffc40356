import type { CredentialKind } from '@waystation/protocol/connection/connection.ts'
import { isJsonObject } from '@waystation/protocol/json-object.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { Credential } from './credential.ts'
import { headerOf } from './header-of.ts'
import type { Integration } from './integration.ts'
import { type Grant, ProviderError } from './providers/provider.ts'
import { providerErrorOf } from './providers/provider-error.ts'

/**
 * Asks the service for the name of the credential's account. Returns undefined if the integration does not
 * say how to ask. Throws `ProviderError` if the service rejects the credential, so that it is not stored.
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
  const response = await ctx.ports
    .fetch(url.href, {
      headers: { accept: 'application/json', ...headerOf(integration, mode, credential) },
      maxBytes: 1024 * 1024,
      timeout: 10_000
    })
    .catch((error: unknown) => {
      throw providerErrorOf(service, error)
    })
  if (response.status === 401 || response.status === 403)
    throw new ProviderError(
      `${service} rejected these credentials (${response.status}). Check them and enter them again.`
    )
  if (response.status >= 300)
    throw new ProviderError(`${service} returned ${response.status} when Waystation looked up the account.`, {
      again: true
    })
  return nameIn(response.text(), account.field)
}

/**
 * Adds the account's name, if known, and the requested scopes, if the provider named none. Use the
 * integration as it was when the access was granted, because its address may have changed since.
 */
export async function withAccountName(
  ctx: Ctx,
  integration: Integration,
  requestedScopes: string[],
  granted: Grant
): Promise<Grant> {
  const scopes = granted.scopes.length > 0 ? granted.scopes : requestedScopes
  const account = granted.account ?? (await nameIfAny(ctx, integration, granted.credential))
  return { ...granted, scopes, ...(account === undefined ? {} : { account }) }
}

async function nameIfAny(ctx: Ctx, integration: Integration, credential: Credential) {
  try {
    return await accountOf(ctx, integration, 'oauth', credential)
  } catch (error) {
    if (error instanceof ProviderError) return undefined
    throw error
  }
}

function nameIn(text: string, field: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text)
    const name = isJsonObject(body) ? body[field] : undefined
    return typeof name === 'string' && name !== '' ? name.slice(0, 200) : undefined
  } catch {
    return undefined
  }
}
