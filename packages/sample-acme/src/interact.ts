import type { IncomingMessage, ServerResponse } from 'node:http'
import type { InteractionResults, Provider } from 'oidc-provider'
import { faultPage } from './fault-page.ts'
import { formOf, goOn } from './form.ts'
import { sendPage } from './page.ts'
import { consentPage, signInPage } from './pages.ts'
import { type Person, personOf } from './people.ts'

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/** The two questions on the way to a code: who you are, and whether you want that. Throws `SessionNotFound` when it is over. */
export async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> {
  const step = await provider.interactionDetails(request, response)
  const person = personOf(step.session?.accountId)
  if (request.method !== 'POST') return sendPage(response, await questionOf(provider, step, person))
  const form = await formOf(request, new URL(provider.issuer).origin)
  if (form === undefined)
    return sendPage(response, faultPage('invalid_request', 'the form does not belong to this page', 403))
  const done = form.get('do')
  const picked = step.prompt.name === 'login' ? personOf(form.get('person') ?? undefined) : undefined
  const finish = async (result: InteractionResults, mergeWithLastSubmission = true) =>
    goOn(response, await provider.interactionResult(request, response, result, { mergeWithLastSubmission }))

  if (done === 'cancel' || done === 'deny')
    return finish({ error: 'access_denied', error_description: 'the user declined' })
  if (picked !== undefined) {
    if (person !== undefined && person !== picked) await forget(provider, step)
    return finish({ login: { accountId: picked.id } })
  }
  if (step.prompt.name === 'consent' && person !== undefined && done === 'switch') {
    await forget(provider, step)
    return finish({}, false)
  }
  if (step.prompt.name === 'consent' && person !== undefined && done === 'allow')
    return finish({ consent: { grantId: await grant(provider, step, person) } })
  sendPage(response, await questionOf(provider, step, person))
}

async function questionOf(provider: Provider, step: Interaction, person: Person | undefined) {
  const { client_id, redirect_uri, acme_coop } = step.params
  const client = await provider.Client.find(String(client_id))
  const asking = {
    name: client?.clientName ?? String(client_id),
    back: originOf(redirect_uri),
    severed: acme_coop === '1'
  }
  if (step.prompt.name === 'login' || person === undefined) return signInPage(asking)
  const { plain, byResource } = askedOf(step)
  return consentPage({ ...asking, person, scopes: [...plain, ...Object.values(byResource).flat()] })
}

/** Signs out whoever was signed in, so that the step may go on with somebody else. */
async function forget(provider: Provider, step: Interaction): Promise<void> {
  const session = step.session && (await provider.Session.findByUid(step.session.uid))
  await session?.destroy()
  delete step.session
  await step.persist()
}

async function grant(provider: Provider, step: Interaction, { id }: Person): Promise<string> {
  const made = new provider.Grant({ accountId: id, clientId: String(step.params.client_id) })
  const { plain, byResource } = askedOf(step)
  if (plain.length > 0) made.addOIDCScope(plain)
  for (const [resource, scopes] of Object.entries(byResource)) made.addResourceScope(resource, scopes)
  return made.save()
}

/** The scopes that are asked for, by themselves and for a resource (RFC 8707). */
const askedOf = ({ prompt }: Interaction) => ({
  plain: (prompt.details.missingOIDCScope ?? []) as string[],
  byResource: (prompt.details.missingResourceScopes ?? {}) as Record<string, string[]>
})

/** As a source of a Content Security Policy; what could not stand in one is left out. */
function originOf(address: unknown): string | undefined {
  const url = URL.parse(String(address))
  const source = url?.origin === 'null' ? url.protocol : url?.origin
  return source !== undefined && /^[a-z][a-z\d+.-]*:(\/\/[\w.:[\]-]+)?$/.test(source) ? source : undefined
}
