import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { secure } from '#scripts/serve/headers.ts'
import { openSamples } from '#scripts/serve/samples.ts'
import { withHouse } from '#tests/support/worlds/house.ts'

const opened = withHouse()

/** The samples in front of everything else, as `server.ts` has them; its address. */
async function serveSamples(local: boolean): Promise<string> {
  const env = { ...opened.house.env, local }
  const samples = openSamples(env)
  const server = createServer((request, response) => {
    secure(request, response, env, false)
    if (!samples(request, response)) response.writeHead(404).end("somebody else's")
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const paths = [
  '/samples/acme/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server/samples/acme'
]

test('in local mode Acme is there, at the origin of this server, and nothing of it may load or frame anything', async () => {
  const url = await serveSamples(true)
  for (const path of paths) {
    const response = await fetch(url + path)
    expect(await response.json(), path).toMatchObject({ issuer: `${opened.house.env.url}/samples/acme` })
    expect(response.headers.get('content-security-policy'), path).toMatch(
      /^default-src 'none';.*frame-ancestors/
    )
    expect(response.headers.get('x-content-type-options'), path).toBe('nosniff')
  }
  const me = await fetch(`${url}/samples/acme/api/me`)
  expect(me.status).toBe(401)
  expect(me.headers.get('content-security-policy')).toBe(
    "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
  )
  for (const path of ['/samples/acmeX', '/samples', '/.well-known/openid-configuration', '/samples/pages'])
    expect(await (await fetch(url + path)).text(), path).toBe("somebody else's")
})

test('outside of local mode there is no Acme', async () => {
  const url = await serveSamples(false)
  for (const path of [...paths, '/samples/acme/account', '/samples/acme/api/me'])
    expect(await (await fetch(url + path)).text(), path).toBe("somebody else's")
})
