import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'
import { birthOf } from '#scripts/postgres/processes.ts'
import { createDatabase } from '#tests/support/servers/database.ts'
import { type ServerProcess, startServer } from '#tests/support/servers/start-server.ts'

const dirs: string[] = []
afterEach(async () => {
  for (const dir of dirs.splice(0))
    await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

describe('a running server', () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServer({ DATABASE_URL: (await createDatabase()).url })
  })
  afterAll(() => server.stop())

  test('prints one line with its URL, the sign-in method and the model', () => {
    expect(server.readyLine).toMatch(
      /^Waystation is ready: http:\/\/localhost:\d+ \(local mode, demo model\)\n.*http:\/\/localhost:\d+\/local\/[\w.-]+$/
    )
  })

  test('is healthy', async () => {
    const response = await fetch(`${server.url}/api/health`)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ status: 'ok', database: 'ok', worker: 'ok' })
  })

  test('closes an unknown socket with 404', async () => {
    const { port } = new URL(server.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write('GET /nobody HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 404 /)
  })

  test('answers the API itself, and leaves all other paths and the pages to Next', async () => {
    const auth = { authorization: `Bearer ${server.apiKey}` }
    const request = async (method: string, path: string) => {
      const response = await fetch(server.url + path, { method, headers: auth })
      const type = response.headers.get('content-type') ?? ''
      const body = await response.text()
      const isError = type === 'application/json' && body !== ''
      return { status: response.status, code: isError ? JSON.parse(body).code : type }
    }
    expect(await request('GET', '/api/sessions/a%2Fb')).toEqual({ status: 404, code: 'NOT_FOUND' })
    expect(await request('GET', '/api/nothing/here')).toEqual({ status: 404, code: 'NOT_FOUND' })
    expect(await request('HEAD', '/api/health')).toMatchObject({ status: 200 })
    expect(await request('PATCH', '/api/agents')).toMatchObject({ status: 405 })
    expect(await request('GET', '/sign-in')).toMatchObject({ status: 200, code: 'text/html; charset=utf-8' })
    for (const path of ['/%zz', '/sessions/%ff', '/api/sessions/%zz'])
      expect(await request('GET', path), path).toEqual({ status: 404, code: 'NOT_FOUND' })
  })

  test('22 X2: shows a page only at its own path, with the policy of that page', async () => {
    const request = async (path: string, method = 'GET', host = 'localhost') => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      // Unlike fetch, a socket sends a path as it is written.
      socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      const [head = ''] = (await text(socket)).split('\r\n\r\n', 1)
      return {
        status: Number(head.split(' ')[1]),
        policy: /^content-security-policy: (.*)$/im.exec(head)?.[1]
      }
    }
    const answerPage = await request('/answer/unknown')
    expect(answerPage).toMatchObject({ status: 401, policy: expect.not.stringContaining('script-src') })
    for (const path of [
      '/x/../answer/unknown',
      '/./answer/unknown',
      '/x/%2e%2e/answer/unknown',
      '/%61nswer/unknown'
    ])
      expect(await request(path), path).toMatchObject({ status: 404 })
    expect(await request('/sign-in/../api/health')).toMatchObject({ status: 404 })
    expect(await request('/api/health', 'TRACE')).toMatchObject({ status: 405 })
    for (const path of ['/api/health', '/api/nothing', '/sign-in'])
      expect(await request(path, 'GET', 'a:99999'), path).toMatchObject({ status: 400 })
  })

  test('22 A12: rejects a request with an ambiguous length, and serves no file of the server', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write(
      'POST /api/chat HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
    )
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /)
    for (const path of ['/.git/config', '/.env', '/package.json', '/server.ts', '/_next/static'])
      expect((await fetch(server.url + path)).status, path).toBe(404)
  })

  test('sends the files of a page compressed, and browsers cache them for a year', async () => {
    const page = await (await fetch(`${server.url}/sign-in`)).text()
    const paths = [...new Set(page.match(/\/_next\/static\/[^"'\\ ]+\.(?:js|css)/g))]
    expect(paths.length).toBeGreaterThan(3)
    for (const path of paths) {
      const request = (encoding: string, method = 'GET') =>
        fetch(server.url + path, { method, headers: { 'accept-encoding': encoding } })
      const plain = await request('identity')
      const body = await plain.text()
      expect(plain.headers.get('content-encoding')).toBeNull()
      expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      for (const [acceptEncoding, encoding] of [
        ['gzip, deflate, br, zstd', 'br'],
        ['br;q=0, GZIP;q=0.5', 'gzip']
      ] as const) {
        const compressed = await request(acceptEncoding)
        expect(compressed.headers.get('content-encoding')).toBe(encoding)
        expect(compressed.headers.get('content-type')).toBe(plain.headers.get('content-type'))
        expect(await compressed.text()).toBe(body)
        const { headers } = await request(acceptEncoding, 'HEAD')
        expect(headers.get('content-length')).toBe(compressed.headers.get('content-length'))
      }
    }
    expect((await fetch(server.url + paths[0], { method: 'POST' })).status).toBe(405)
  })

  test('sends every page with a policy whose nonce is used once, and every response with nosniff', async () => {
    const [firstPage, two] = await Promise.all([
      fetch(`${server.url}/sign-in`),
      fetch(`${server.url}/sign-in`)
    ])
    const policies = [firstPage, two].map(response => response.headers.get('content-security-policy') ?? '')
    const nonces = policies.map(policy => /script-src 'nonce-([^']+)' 'strict-dynamic';/.exec(policy)?.[1])
    expect(nonces[0]).toBeTruthy()
    expect(nonces[0]).not.toBe(nonces[1])
    expect(policies[0]).toContain("frame-ancestors 'none'")
    const html = await firstPage.text()
    const scripts = html.match(/<script[^>]*>/g) ?? []
    expect(scripts.length).toBeGreaterThan(0)
    for (const script of scripts) expect(script).toContain(`nonce="${nonces[0]}"`)

    const api = await fetch(`${server.url}/api/health`)
    for (const response of [firstPage, api]) {
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('referrer-policy')).toBe('same-origin')
      expect(response.headers.get('x-powered-by')).toBeNull()
    }
    expect(api.headers.get('content-security-policy')).toBe(
      "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
    )
  })
})

test('on SIGTERM, the server ends its event streams and its database and exits', async () => {
  const server = await start()
  const session = await fetch(`${server.url}/api/sessions/welcome`, authorized(server))
  expect(session.status).toBe(200)
  const stream = await fetch(`${server.url}/api/sessions/welcome/events?after=0`, authorized(server))
  expect(stream.headers.get('content-type')).toContain('text/event-stream')

  server.process.kill('SIGTERM')
  await stream.text().catch(() => 'cut off')
  expect(await server.exited).toBe(0)
})

test('a second signal does not disturb an orderly stop', async () => {
  const server = await start({ DATABASE_URL: (await createDatabase()).url })
  server.process.kill('SIGTERM')
  server.process.kill('SIGINT')
  expect(await server.exited).toBe(0)
})

test('after a kill and a restart, all sessions still exist', async () => {
  const dataDir = await directory()
  const first = await start({ WAYSTATION_DATA_DIR: dataDir })
  const created = await post(first, '/api/plugins/sessions/operations/create', {
    agentId: 'guide',
    sessionId: 'kept'
  })
  expect(created.status).toBe(201)
  first.process.kill('SIGKILL')
  await first.exited

  const second = await start({ WAYSTATION_DATA_DIR: dataDir })
  expect((await fetch(`${second.url}/api/sessions/kept`, authorized(second))).status).toBe(200)
})

test('the server stops when its starter ends, even if the starter was killed', async () => {
  const server = await start({ DATABASE_URL: (await createDatabase()).url })
  server.process.disconnect()
  expect(await server.exited).toBe(0)
  expect(birthOf(server.process.pid ?? 0)).toBeUndefined()
})

test('a worker process only answers health checks, and a web server is healthy while any worker is alive', async () => {
  const database = await createDatabase()
  const worker = await start({ WAYSTATION_ROLE: 'worker', DATABASE_URL: database.url })
  expect(worker.readyLine).toContain('(worker only, local mode, demo model)')
  expect(await (await fetch(`${worker.url}/api/health`)).json()).toMatchObject({ status: 'ok', worker: 'ok' })
  expect((await fetch(`${worker.url}/sign-in`)).status).toBe(404)
  const [error] = await once(new WebSocket(`${worker.url.replace('http', 'ws')}/ws`), 'error')
  expect(String(error)).toContain('404')

  const web = await start({ WAYSTATION_ROLE: 'web', DATABASE_URL: database.url })
  const health = async () => {
    const response = await fetch(`${web.url}/api/health`)
    return { http: response.status, ...((await response.json()) as object) }
  }
  expect(await health()).toMatchObject({ http: 200, status: 'ok', worker: 'ok' })
  worker.process.kill('SIGKILL')
  await expect
    .poll(health)
    .toMatchObject({ http: 503, status: 'unavailable', database: 'ok', worker: 'none is running' })

  // If the database hangs, the health check must report this instead of hanging too.
  const sql = postgres(database.url, { max: 1 })
  await sql.begin(async tx => {
    await tx`lock table workers in access exclusive mode`
    expect(await health()).toMatchObject({ http: 503, status: 'unavailable', database: expect.any(String) })
  })
  await sql.end()
})

describe('a failed start reports an error with advice for', () => {
  test('a port in use', async () => {
    const squatter = createServer().listen(0, '127.0.0.1')
    await once(squatter, 'listening')
    const { port } = squatter.address() as AddressInfo
    await expect(start({ PORT: String(port) })).rejects.toThrow(`Port ${port} is in use`)
    squatter.close()
  })

  test('a setting that cannot be used', async () => {
    await expect(start({ WAYSTATION_ROLE: 'king' })).rejects.toThrow(
      /WAYSTATION_ROLE must be all, web or worker/
    )
  })

  test('a database that does not respond', async () => {
    await expect(start({ DATABASE_URL: 'postgres://me:hidden@127.0.0.1:1/way' })).rejects.toThrow(
      /DATABASE_URL \(127\.0\.0\.1:1\)(?!.*hidden)/
    )
  })

  test('a database with another password', async () => {
    // The Postgres of a test run needs no password. A durable one does.
    const postgres = await startEmbeddedPostgres({ dir: await directory() })
    const wrong = new URL(postgres.url)
    wrong.password = 'wrong'
    await expect(start({ DATABASE_URL: wrong.href })).rejects.toThrow(/password authentication failed/)
    await postgres.stop()
  })

  test('data of another major version of Postgres', async () => {
    const dataDir = await directory()
    await mkdir(join(dataDir, 'postgres', 'data'), { recursive: true })
    await writeFile(join(dataDir, 'postgres', 'data', 'PG_VERSION'), '16\n')
    await expect(start({ WAYSTATION_DATA_DIR: dataDir })).rejects.toThrow(
      /created by Postgres 16.*Nothing was changed/
    )
  })
})

const running: ServerProcess[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})

async function start(settings: Record<string, string> = {}) {
  const server = await startServer({ WAYSTATION_DATA_DIR: await directory(), ...settings })
  running.push(server)
  return server
}

async function directory() {
  const dir = await mkdtemp(join(tmpdir(), 'waystation-server-'))
  dirs.push(dir)
  return dir
}

const authorized = ({ apiKey }: ServerProcess) => ({ headers: { Authorization: `Bearer ${apiKey}` } })

function post(server: ServerProcess, path: string, body: unknown) {
  const headers = { ...authorized(server).headers, 'Content-Type': 'application/json' }
  return fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}
