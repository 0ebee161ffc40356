import type { IncomingMessage, ServerResponse } from 'node:http'
import type Provider from 'oidc-provider'
import { errorPage } from './error-page.ts'
import { formOf, seeOther } from './form.ts'
import { acmePath } from './mount.ts'
import { sendPage } from './page.ts'
import { accountPage, type ConnectedClient } from './pages.ts'
import { type Person, personOf } from './people.ts'
import { sessionSeconds } from './settings.ts'
import { type AcmeStorage, endGrant, grantsOf } from './store.ts'

/**
 * Handles the account page. It lists the clients with access to the user's account, and the user can revoke each one.
 * The user can also sign in and sign out.
 */
export async function handleAccount(
  storage: AcmeStorage,
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> {
  const ctx = provider.createContext(request, response)
  const session = await provider.Session.get(ctx)
  const person = personOf(session.accountId)
  const show = async (message?: string) => {
    const clients = person ? await connectedClients(storage, provider, person) : []
    sendPage(response, accountPage(person, clients, message))
  }
  if (request.method !== 'POST') return show()

  const form = await formOf(request, new URL(provider.issuer).origin)
  if (form === undefined)
    return sendPage(response, errorPage('invalid_request', 'the form does not belong to this page', 403))
  const selected = personOf(form.get('person') ?? undefined)
  if (selected !== undefined) {
    session.resetIdentifier()
    session.loginAccount({ accountId: selected.id })
    await session.save(sessionSeconds)
    ctx.cookies.set(provider.cookieName('session'), session.jti, {
      httpOnly: true,
      sameSite: 'lax',
      signed: true,
      path: new URL(provider.issuer).pathname,
      maxAge: sessionSeconds * 1000
    })
    return seeOther(response, acmePath('/account'))
  }
  if (person !== undefined && form.get('do') === 'revoke') {
    const isDeleted = await endGrant(storage, person.id, form.get('grant') ?? '')
    return show(
      isDeleted ? 'The application can no longer use this account.' : 'The access had already ended.'
    )
  }
  if (person !== undefined && form.get('do') === 'sign-out') await session.destroy()
  seeOther(response, acmePath('/account'))
}

async function connectedClients(
  storage: AcmeStorage,
  provider: Provider,
  { id }: Person
): Promise<ConnectedClient[]> {
  const grants = await grantsOf(storage, id)
  return Promise.all(
    grants.map(async ({ jti, clientId, iat, openid, resources }) => {
      const client = await provider.Client.find(clientId)
      const scopes = [openid?.scope, ...Object.values(resources ?? {})].join(' ').split(' ').filter(Boolean)
      return { grantId: jti, name: client?.clientName ?? clientId, scopes, since: iat }
    })
  )
}
