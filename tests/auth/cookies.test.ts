import { describe, expect, test } from 'vitest'
import { dispatch } from '#lib/api/dispatch.ts'
import { localRoute } from '#lib/api/local-route.ts'
import { localLink } from '#lib/auth/sign-in/local-link.ts'
import { withRuntime } from '#tests/support/servers/test-runtime.ts'

type Cookie = { name: string; value: string; attributes: string[] }

/** Returns the cookies that a response sets, with their attributes in lower case and without the expiry. */
const cookiesOf = (response: Response): Cookie[] =>
  response.headers.getSetCookie().map(text => {
    const [pair = '', ...attributes] = text.split(/; */)
    const at = pair.indexOf('=')
    const flags = attributes
      .map(attribute => attribute.toLowerCase())
      .filter(flag => !/^(expires|max-age)=/.test(flag))
    return { name: pair.slice(0, at), value: pair.slice(at + 1), attributes: flags.sort() }
  })

/** Signs in the local owner and returns the session cookie. */
async function signIn(env: { authSecret: string; url: string }): Promise<Cookie | undefined> {
  const link = localLink(env)
  const headers = { host: new URL(env.url).host, origin: env.url }
  const params = { token: link.split('/local/')[1] ?? '' }
  return cookiesOf(await localRoute(new Request(link, { method: 'POST', headers }), params))[0]
}

/** Opens a page of a connection and returns the cookie that binds it to this browser. */
async function openConnect(origin: string): Promise<Cookie | undefined> {
  return cookiesOf(await dispatch(new Request(`${origin}/connect/unknown`)))[0]
}

const http = ['httponly', 'path=/', 'samesite=lax']
const https = ['httponly', 'path=/', 'samesite=lax', 'secure']

describe.each([
  { origin: 'http://localhost:3000', prefix: '', attributes: http },
  { origin: 'https://localhost:3000', prefix: '__Host-', attributes: https }
])('at $origin', ({ origin, prefix, attributes }) => {
  const server = withRuntime({ WAYSTATION_URL: origin })

  test('the session cookie is not accessible to scripts or to forms on other sites', async () => {
    expect(await signIn(server.runtime.env)).toMatchObject({
      name: `${prefix}waystation.session`,
      attributes
    })
  })

  test('the cookie of a connection page is not accessible to scripts or to forms on other sites', async () => {
    expect(await openConnect(origin)).toMatchObject({ name: `${prefix}waystation.browser`, attributes })
  })
})
