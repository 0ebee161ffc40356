import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** A request that the service received. */
export type Asked = {
  method: string
  path: string
  authorization: string | undefined
  key: string | undefined
  body: string
}

/**
 * A service with an API that needs a bearer token, such as GitHub. Tests can change the accepted tokens while it
 * runs.
 */
export type FakeService = {
  url: string
  asked: Asked[]
  takes: Set<string>
  answers: (path: string) => unknown
  /** The URL to which it redirects instead of responding. */
  leads?: string
}

/** Starts a service that accepts these tokens, until the test ends. */
export async function startFakeService(...tokens: string[]): Promise<FakeService> {
  const service: FakeService = {
    url: '',
    asked: [],
    takes: new Set(tokens),
    answers: path =>
      path.startsWith('/user')
        ? { login: 'ada' }
        : path.startsWith('/search')
          ? { total_count: 1, items: [issue] }
          : path.endsWith('/issues')
            ? issue
            : 'a file'
  }
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    const { authorization } = headers
    const body = await text(request)
    const key = headers['idempotency-key'] as string | undefined
    service.asked.push({ method, path, authorization, key, body })
    if (!service.takes.has(authorization?.replace(/^Bearer /, '') ?? ''))
      return response
        .writeHead(401, { 'content-type': 'application/json' })
        .end('{"message":"Bad credentials"}')
    if (service.leads !== undefined) return response.writeHead(302, { location: service.leads }).end()
    const answer = await service.answers(path)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return service
}

const issue = {
  number: 7,
  title: 'It waits',
  state: 'open',
  html_url: 'https://github.com/acme/lamps/issues/7',
  user: { login: 'ben' }
}
