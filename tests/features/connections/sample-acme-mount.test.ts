import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { secure } from '#scripts/serve/headers.ts'
import { openSamples } from '#scripts/serve/samples.ts'
import { withRuntime } from '#tests/support/servers/test-runtime.ts'

const opened = withRuntime()

/** Serves the samples in front of all other routes, as `server.ts` does, and returns the URL. */
async function serveSamples(local: boolean): Promise<string> {
  const env = { ...opened.runtime.env, local }
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

test('in local mode Acme runs at this server’s origin, and its pages can load and frame nothing', async () => {
  const url = await serveSamples(true)
  for (const path of paths) {
    const response = await fetch(url + path)
    expect(await response.json(), path).toMatchObject({ issuer: `${opened.runtime.env.url}/samples/acme` })
    expect(response.headers.get('content-security-policy'), path).toMatch(
      /^default-src 'none';.*frame-ancestors/
    )
    expect(response.headers.get('x-content-type-options'), path).toBe('nosniff')
  }
  const meResponse = await fetch(`${url}/samples/acme/api/me`)
  expect(meResponse.status).toBe(401)
  expect(meResponse.headers.get('content-security-policy')).toBe(
    "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
  )
  for (const path of ['/samples/acmeX', '/samples', '/.well-known/openid-configuration', '/samples/pages'])
    expect(await (await fetch(url + path)).text(), path).toBe("somebody else's")
})

test('outside local mode Acme is not available', async () => {
  const url = await serveSamples(false)
  for (const path of [...paths, '/samples/acme/account', '/samples/acme/api/me'])
    expect(await (await fetch(url + path)).text(), path).toBe("somebody else's")
})
