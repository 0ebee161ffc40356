import type { IncomingMessage, ServerResponse } from 'node:http'
import type { InteractionResults, Provider } from 'oidc-provider'
import { errorPage } from './error-page.ts'
import { formOf, seeOther } from './form.ts'
import { sendPage } from './page.ts'
import { consentPage, signInPage } from './pages.ts'
import { type Person, personOf } from './people.ts'

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/**
 * Handles the two pages before a client gets access: sign-in and consent. Rejects with `SessionNotFound` if the
 * interaction has ended, has expired or belongs to another browser or session.
 */
export async function handleInteraction(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> {
  const interaction = await provider.interactionDetails(request, response)
  const person = personOf(interaction.session?.accountId)
  if (request.method !== 'POST') return sendPage(response, await pageFor(provider, interaction, person))
  const form = await formOf(request, new URL(provider.issuer).origin)
  if (form === undefined)
    return sendPage(response, errorPage('invalid_request', 'the form does not belong to this page', 403))
  const action = form.get('do')
  const selected = interaction.prompt.name === 'login' ? personOf(form.get('person') ?? undefined) : undefined
  const finish = async (result: InteractionResults, mergeWithLastSubmission = true) =>
    seeOther(
      response,
      await provider.interactionResult(request, response, result, { mergeWithLastSubmission })
    )

  if (action === 'cancel' || action === 'deny')
    return finish({ error: 'access_denied', error_description: 'the user declined' })
  if (selected !== undefined) {
    if (person !== undefined && person !== selected) await signOut(provider, interaction)
    return finish({ login: { accountId: selected.id } })
  }
  if (interaction.prompt.name === 'consent' && person !== undefined && action === 'switch') {
    await signOut(provider, interaction)
    return finish({}, false)
  }
  if (interaction.prompt.name === 'consent' && person !== undefined && action === 'allow')
    return finish({ consent: { grantId: await createGrant(provider, interaction, person) } })
  sendPage(response, await pageFor(provider, interaction, person))
}

async function pageFor(provider: Provider, interaction: Interaction, person: Person | undefined) {
  const { client_id, redirect_uri, acme_coop } = interaction.params
  const registered = await provider.Client.find(String(client_id))
  const client = {
    name: registered?.clientName ?? String(client_id),
    back: originOf(redirect_uri),
    severed: acme_coop === '1'
  }
  if (interaction.prompt.name === 'login' || person === undefined) return signInPage(client)
  const { oidc, byResource } = requestedScopes(interaction)
  return consentPage({ ...client, person, scopes: [...oidc, ...Object.values(byResource).flat()] })
}

/** Signs the current user out, so that the interaction can continue with another account. */
async function signOut(provider: Provider, interaction: Interaction): Promise<void> {
  const session = interaction.session && (await provider.Session.findByUid(interaction.session.uid))
  await session?.destroy()
  delete interaction.session
  await interaction.persist()
}

async function createGrant(provider: Provider, interaction: Interaction, { id }: Person): Promise<string> {
  const created = new provider.Grant({ accountId: id, clientId: String(interaction.params.client_id) })
  const { oidc, byResource } = requestedScopes(interaction)
  if (oidc.length > 0) created.addOIDCScope(oidc)
  for (const [resource, scopes] of Object.entries(byResource)) created.addResourceScope(resource, scopes)
  return created.save()
}

/** Returns the requested scopes: those without a resource, and those of each resource (RFC 8707). */
const requestedScopes = ({ prompt }: Interaction) => ({
  oidc: (prompt.details.missingOIDCScope ?? []) as string[],
  byResource: (prompt.details.missingResourceScopes ?? {}) as Record<string, string[]>
})

/**
 * Returns the origin of a redirect URI as a source for a Content Security Policy. For a custom scheme it is the
 * scheme. Returns undefined for text that cannot be a source.
 */
function originOf(uri: unknown): string | undefined {
  const url = URL.parse(String(uri))
  const source = url?.origin === 'null' ? url.protocol : url?.origin
  return source !== undefined && /^[a-z][a-z\d+.-]*:(\/\/[\w.:[\]-]+)?$/.test(source) ? source : undefined
}
