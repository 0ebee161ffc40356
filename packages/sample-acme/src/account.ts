import type { IncomingMessage, ServerResponse } from 'node:http'
import type Provider from 'oidc-provider'
import { addressOf } from './addresses.ts'
import { faultPage } from './fault-page.ts'
import { formOf, goOn } from './form.ts'
import { sendPage } from './page.ts'
import { accountPage, type Connected } from './pages.ts'
import { type Person, personOf } from './people.ts'
import { sessionSeconds } from './settings.ts'
import { endGrant, type Ground, grantsOf } from './store.ts'

/** The page where a sample person sees which applications they let in, and ends that. */
export async function account(
  ground: Ground,
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> {
  const ctx = provider.createContext(request, response)
  const session = await provider.Session.get(ctx)
  const person = personOf(session.accountId)
  const show = async (said?: string) =>
    sendPage(response, accountPage(person, person ? await connectedTo(ground, provider, person) : [], said))
  if (request.method !== 'POST') return show()

  const form = await formOf(request, new URL(provider.issuer).origin)
  if (form === undefined)
    return sendPage(response, faultPage('invalid_request', 'the form does not belong to this page', 403))
  const picked = personOf(form.get('person') ?? undefined)
  if (picked !== undefined) {
    session.resetIdentifier()
    session.loginAccount({ accountId: picked.id })
    await session.save(sessionSeconds)
    ctx.cookies.set(provider.cookieName('session'), session.jti, {
      httpOnly: true,
      sameSite: 'lax',
      signed: true,
      path: new URL(provider.issuer).pathname,
      maxAge: sessionSeconds * 1000
    })
    return goOn(response, addressOf('/account'))
  }
  if (person !== undefined && form.get('do') === 'revoke') {
    const ended = await endGrant(ground, person.id, form.get('grant') ?? '')
    return show(ended ? 'The application can no longer use this account.' : 'The access had already ended.')
  }
  if (person !== undefined && form.get('do') === 'sign-out') await session.destroy()
  goOn(response, addressOf('/account'))
}

async function connectedTo(ground: Ground, provider: Provider, { id }: Person): Promise<Connected[]> {
  const grants = await grantsOf(ground, id)
  return Promise.all(
    grants.map(async ({ jti, clientId, iat, openid, resources }) => {
      const client = await provider.Client.find(clientId)
      const scopes = [openid?.scope, ...Object.values(resources ?? {})].join(' ').split(' ').filter(Boolean)
      return { grantId: jti, name: client?.clientName ?? clientId, scopes, since: iat }
    })
  )
}
