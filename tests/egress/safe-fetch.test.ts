import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { parseEgressPolicy, safeFetch } from '@waystation/egress'
import { describe, expect, test } from 'vitest'
import { nextRequest } from '#packages/egress/src/redirect.ts'
import type { SafeFetchInit } from '#packages/egress/src/safe-fetch.ts'
import { accepting, moved, serving } from '#tests/support/fakes/net-listen.ts'

const loopback = parseEgressPolicy('127.0.0.1')
const fetch = (url: string, init?: SafeFetchInit) => safeFetch(loopback, url, init)

/** Responds with the request as JSON. */
const echo = async (request: IncomingMessage, response: ServerResponse) => {
  const { method, url, headers } = request
  response.end(JSON.stringify({ method, url, headers, body: await text(request) }))
}
const echoed = async (url: string, init?: SafeFetchInit) => JSON.parse((await fetch(url, init)).text())

/** Resolves when the server sees that we closed the connection. */
const dropped = (response: ServerResponse) => once(response, 'close')

describe('a plain request', () => {
  test('method, headers (including Idempotency-Key) and body are sent unchanged', async () => {
    await using server = await serving(echo)
    const received = await echoed(`${server.origin}/a%20b?c=d#fragment`, {
      method: 'post',
      headers: { 'Idempotency-Key': 'call_1', 'Content-Type': 'application/json', Authorization: 'Bearer t' },
      body: '{"a":"ü"}'
    })
    expect(received).toMatchObject({ method: 'POST', url: '/a%20b?c=d', body: '{"a":"ü"}' })
    expect(received.headers).toMatchObject({
      'idempotency-key': 'call_1',
      'content-type': 'application/json',
      authorization: 'Bearer t',
      'content-length': '10',
      host: `127.0.0.1:${server.port}`
    })
    expect((await echoed(server.origin, { method: 'PUT', body: new Uint8Array([65, 66]) })).body).toBe('AB')
  })

  test('any status is a response, with headers and body', async () => {
    await using server = await serving((_request, response) => {
      response.writeHead(418, { 'set-cookie': ['a=1', 'b=2'], 'x-word': 'tea' }).end('short and stout')
    })
    const response = await fetch(server.origin)
    expect(response).toMatchObject({ status: 418, url: `${server.origin}/` })
    expect(response.headers.get('x-word')).toBe('tea')
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(response.body).toEqual(new TextEncoder().encode('short and stout'))
  })

  test.each([
    ['text/plain; charset=utf-8', Buffer.from('grün'), 'grün'],
    ['text/plain', Buffer.from('grün'), 'grün'],
    ['text/plain; charset="ISO-8859-1"', Buffer.from('grün', 'latin1'), 'grün'],
    ['text/plain; charset=shift_jis', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), '日本'],
    ['text/plain; charset=no-such-charset', Buffer.from('grün'), 'grün'],
    ['text/plain; charset=latin1', Buffer.from('\ufeffgrün'), 'grün'],
    ['text/plain', Buffer.from('\ufeffgrün', 'utf16le'), 'grün'],
    ['text/plain', Buffer.from([0x67, 0xff]), 'g\ufffd']
  ])('text() of "%s" %j is "%s"', async (type, bytes, expected) => {
    await using server = await serving((_request, response) => {
      response.setHeader('content-type', type).end(bytes)
    })
    expect((await fetch(server.origin)).text()).toBe(expected)
  })

  test('compressed responses are decompressed, and a response without a body has none', async () => {
    await using server = await serving((request, response) => {
      const packed = request.url === '/br' ? brotliCompressSync('hello') : gzipSync('hello')
      response.setHeader('content-encoding', request.url === '/br' ? 'br' : 'GZip')
      if (request.url === '/204') response.writeHead(204).end()
      else response.setHeader('content-length', packed.length).end(packed)
    })
    expect((await fetch(`${server.origin}/br`)).text()).toBe('hello')
    expect((await fetch(`${server.origin}/gzip`)).text()).toBe('hello')
    expect((await fetch(`${server.origin}/204`)).body).toHaveLength(0)
    const head = await fetch(`${server.origin}/gzip`, { method: 'HEAD', maxBytes: 3 })
    expect(head).toMatchObject({ status: 200, body: new Uint8Array() })
  })

  test('setting connection headers, or using methods that open tunnels, is a TypeError', async () => {
    for (const name of ['Host', 'Connection', 'Content-Length', 'Transfer-Encoding', 'Proxy-Authorization']) {
      await expect(fetch('http://127.0.0.1/', { headers: { [name]: '1' } }), name).rejects.toThrow(TypeError)
    }
    await expect(fetch('http://127.0.0.1/', { headers: { 'x-a': 'b\r\nx-c: d' } })).rejects.toThrow(TypeError)
    await expect(fetch('http://127.0.0.1/', { method: 'CONNECT' })).rejects.toThrow(TypeError)
  })
})

describe('redirects', () => {
  test.each([
    [301, 'GET', 'GET'],
    [301, 'POST', 'GET'],
    [301, 'PUT', 'PUT'],
    [302, 'POST', 'GET'],
    [302, 'HEAD', 'HEAD'],
    [303, 'POST', 'GET'],
    [303, 'DELETE', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [307, 'POST', 'POST'],
    [308, 'POST', 'POST'],
    [308, 'PATCH', 'PATCH']
  ])('status %i after %s leads to %s (Fetch standard)', async (status, method, expected) => {
    await using server = await serving(echo)
    const body = method === 'GET' || method === 'HEAD' ? undefined : 'text'
    const headers = { 'content-type': 'text/x', 'idempotency-key': 'call_1' }
    await fetch(moved(server.origin, '/there', status), { method, body, headers })
    const last = server.requests.at(-1)!
    expect(server.requests).toHaveLength(2)
    expect(last).toMatchObject({ url: '/there', method: expected })
    expect(last.headers['content-type']).toBe(expected === method ? 'text/x' : undefined)
    expect(last.headers['idempotency-key']).toBe('call_1')
  })

  test('307 repeats the body', async () => {
    await using server = await serving(echo)
    const received = await echoed(moved(server.origin, '/there', 307), { method: 'POST', body: 'once' })
    expect(received).toMatchObject({ url: '/there', body: 'once' })
  })

  test('the response has the final URL, and relative and international locations work', async () => {
    await using server = await serving(echo)
    expect((await fetch(moved(server.origin, 'there?q=1#new'))).url).toBe(`${server.origin}/there?q=1#new`)
    expect((await fetch(`${moved(server.origin, '/there')}#kept`)).url).toBe(`${server.origin}/there#kept`)
    expect((await fetch(moved(server.origin, '/grün'))).url).toBe(`${server.origin}/gr%C3%BCn`)
  })

  test('credentials are removed before a redirect to another origin, and not added again', async () => {
    await using there = await serving(echo)
    await using here = await serving(echo)
    const headers = {
      Authorization: 'Bearer t',
      Cookie: 'a=b',
      'X-Api-Key': 'k',
      'Webhook-Signature': 's',
      'Accept-Language': 'de',
      'User-Agent': 'mine',
      'Idempotency-Key': 'call_1',
      Accept: 'text/plain'
    }
    const init = { headers, sensitive: ['Accept-Language'] }
    const secrets = ['authorization', 'cookie', 'x-api-key', 'webhook-signature', 'accept-language']

    const away = await echoed(moved(here.origin, `${there.origin}/x`), init)
    expect(Object.keys(away.headers).filter(name => secrets.includes(name))).toEqual([])
    expect(away.headers).toMatchObject({
      'user-agent': 'mine',
      'idempotency-key': 'call_1',
      accept: 'text/plain'
    })

    const back = await echoed(moved(here.origin, moved(there.origin, `${here.origin}/x`)), init)
    expect(Object.keys(back.headers).filter(name => secrets.includes(name))).toEqual([])

    const home = await echoed(moved(here.origin, '/x'), init)
    expect(Object.keys(home.headers).filter(name => secrets.includes(name))).toHaveLength(5)
  })

  test('no secret is sent from https to http', () => {
    const request = (headers: Record<string, string>, body?: string) => ({
      url: new URL('https://a.test/'),
      method: body ? 'POST' : 'GET',
      headers: new Headers(headers),
      body,
      sensitive: new Set<string>()
    })
    const down = (headers: Record<string, string>, body?: string, status = 302) =>
      nextRequest(request(headers, body), status, 'http://a.test/')
    const blocked = expect.objectContaining({ code: 'BLOCKED_TARGET' })
    expect(() => down({ authorization: 'Bearer t' })).toThrow(blocked)
    expect(() => down({ 'x-api-key': 'k' })).toThrow(blocked)
    expect(() => down({}, 'secret=1', 307)).toThrow(blocked)
    expect(down({}, 'secret=1', 302)).toMatchObject({ method: 'GET', body: undefined })
    expect(down({ accept: '*/*' }).url.href).toBe('http://a.test/')
    const up = { ...request({ authorization: 'Bearer t' }), url: new URL('http://a.test/') }
    expect(nextRequest(up, 302, 'https://a.test/').headers.has('authorization')).toBe(false)
  })

  test('loops and long chains end at the limit, and with "manual" a redirect is a response', async () => {
    await using server = await serving((request, response) => {
      response.writeHead(302, { location: `/${Number(request.url?.slice(1)) + 1}` }).end()
    })
    await expect(fetch(`${server.origin}/0`)).rejects.toMatchObject({ code: 'TOO_MANY_REDIRECTS' })
    expect(server.requests).toHaveLength(6)
    await expect(fetch(`${server.origin}/0`, { maxRedirects: 1 })).rejects.toMatchObject({
      code: 'TOO_MANY_REDIRECTS'
    })
    expect(server.requests).toHaveLength(8)
    const manual = await fetch(`${server.origin}/0`, { redirect: 'manual' })
    expect([manual.status, manual.headers.get('location')]).toEqual([302, '/1'])
    expect(server.requests).toHaveLength(9)
  })

  test('the body of a redirect is not read, even if it is endless, and the next request is sent', async () => {
    let closed: Promise<unknown> | undefined
    await using server = await serving((request, response) => {
      if (request.url === '/end') return response.end('end')
      closed = dropped(response)
      response.writeHead(302, { location: '/end' })
      const pour = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      }
      response.on('drain', pour)
      pour()
    })
    expect((await fetch(server.origin, { maxBytes: 1000 })).text()).toBe('end')
    await closed
  })

  test('a 304, and a 302 without a location, are responses', async () => {
    await using server = await serving((request, response) => {
      response.writeHead(Number(request.url?.slice(1))).end()
    })
    expect((await fetch(`${server.origin}/302`)).status).toBe(302)
    expect((await fetch(`${server.origin}/304`)).status).toBe(304)
  })
})

describe('limits', () => {
  const tooLarge = { name: 'OutboundError', code: 'TOO_LARGE' }

  test.each([
    ['that declares its length', true],
    ['that does not declare its length', false]
  ])('a body over the limit %s is aborted at once', async (_title, announced) => {
    let closed: Promise<unknown> | undefined
    await using server = await serving((_request, response) => {
      closed = dropped(response)
      // Nothing else is sent, so the test ends only if the client aborts.
      if (announced) response.writeHead(200, { 'content-length': 50_000_000 }).flushHeaders()
      else response.write(Buffer.alloc(65_536))
    })
    await expect(fetch(server.origin, { maxBytes: 1024 })).rejects.toMatchObject(tooLarge)
    await closed
  })

  test('a body of exactly the limit is accepted', async () => {
    await using server = await serving((_request, response) => response.end(Buffer.alloc(1024)))
    expect((await fetch(server.origin, { maxBytes: 1024 })).body).toHaveLength(1024)
    await expect(fetch(server.origin, { maxBytes: 1023 })).rejects.toMatchObject({ code: 'TOO_LARGE' })
  })

  const bomb = Buffer.alloc(64 * 1024 * 1024)
  test.each([
    ['gzip', gzipSync(bomb)],
    ['br', brotliCompressSync(bomb)],
    ['gzip', Buffer.concat(Array.from({ length: 1000 }, () => gzipSync('')))] // // decompresses to nothing
  ])('a %s bomb is aborted before it is decompressed', async (encoding, packed) => {
    await using server = await serving((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding })
      response.write(packed)
      response.end()
    })
    // `tests/long/memory.test.ts` measures the memory.
    await expect(fetch(server.origin, { maxBytes: 1024 })).rejects.toMatchObject(tooLarge)
  })

  test.each(['gzip, gzip', 'deflate', 'zstd', 'nonsense'])(
    'a response with the encoding "%s", which was not requested, is not read',
    async encoding => {
      await using server = await serving((_request, response) => {
        response.setHeader('content-encoding', encoding).end(gzipSync('hello'))
      })
      await expect(fetch(server.origin)).rejects.toMatchObject({ code: 'UNREADABLE' })
    }
  )

  test.each([
    ['gzip', Buffer.from('hello')],
    ['gzip', gzipSync('hello').subarray(0, 12)],
    ['br', Buffer.from('hello')]
  ])('a damaged %s body is reported as unreadable', async (encoding, bytes) => {
    await using server = await serving((_request, response) => {
      response.setHeader('content-encoding', encoding).end(bytes)
    })
    await expect(fetch(server.origin)).rejects.toMatchObject({ code: 'UNREADABLE' })
  })

  test.each(['before its headers', 'in its body', 'in its compressed body'])(
    'a slow server that stalls %s is aborted at the timeout, and its connection closed',
    async stage => {
      let closed: Promise<unknown> | undefined
      await using server = await serving((_request, response) => {
        closed = dropped(response)
        if (stage === 'before its headers') return
        if (stage === 'in its compressed body') response.setHeader('content-encoding', 'gzip')
        const bytes = gzipSync(Buffer.alloc(1000))
        let sent = 0
        const drip = setInterval(() => response.write(bytes.subarray(sent, ++sent)), 10)
        response.on('close', () => clearInterval(drip))
      })
      const timeoutError = { name: 'OutboundError', code: 'TIMEOUT' }
      await expect(fetch(server.origin, { timeout: 150 })).rejects.toMatchObject(timeoutError)
      await closed
    }
  )

  test('a name server that never responds is aborted at the timeout', async () => {
    const policy = parseEgressPolicy('', { resolve: () => new Promise(() => {}) })
    await expect(safeFetch(policy, 'http://slow.test/', { timeout: 50 })).rejects.toMatchObject({
      code: 'TIMEOUT'
    })
  })

  test('the timeout applies to all redirects together', async () => {
    await using server = await serving((request, response) => {
      const next = { location: `/${Number(request.url?.slice(1)) + 1}` }
      const timer = setTimeout(() => response.writeHead(302, next).end(), 60)
      response.on('close', () => clearTimeout(timer))
    })
    const request = fetch(`${server.origin}/0`, { timeout: 150, maxRedirects: 100 })
    await expect(request).rejects.toMatchObject({ code: 'TIMEOUT' })
    expect(server.requests.length).toBeLessThan(5)
  })
})

describe('abort', () => {
  test('a signal that is already aborted sends nothing', async () => {
    await using server = await serving()
    const reason = new Error('stopped by the person')
    await expect(fetch(server.origin, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(server.connections()).toBe(0)
  })

  test.each(['waiting for headers', 'in the body', 'in a compressed body'])(
    'aborted while %s, it rejects with the reason and closes the connection',
    async stage => {
      const stop = new AbortController()
      const reason = Object.assign(new Error('stopped by the person'), { code: 'ECONNRESET' })
      let closed: Promise<unknown> | undefined
      await using server = await serving((_request, response) => {
        closed = dropped(response)
        if (stage === 'in a compressed body') response.setHeader('content-encoding', 'gzip')
        if (stage !== 'waiting for headers') response.write(gzipSync('hello').subarray(0, 11))
        setImmediate(() => stop.abort(reason))
      })
      await expect(fetch(server.origin, { signal: stop.signal })).rejects.toBe(reason)
      await closed
    }
  )
})

describe('errors are sentences without the address of a host name', () => {
  const failing = async (url: string, resolve: () => Promise<string[]>) => {
    const policy = parseEgressPolicy('127.0.0.0/8', { resolve })
    const error = await safeFetch(policy, url).catch(error => error)
    expect(error.message).not.toMatch(/\d+\.\d+\.\d+\.\d+/)
    return error
  }
  const here = async () => ['127.0.0.1']
  const dnsError = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }))

  test('unknown hosts, a broken resolver and refused connections are network errors', async () => {
    expect(await failing('http://no.test/', dnsError('ENOTFOUND'))).toMatchObject({ code: 'NETWORK' })
    expect(await failing('http://no.test/', dnsError('EAI_AGAIN'))).toMatchObject({ code: 'NETWORK' })
    const { port } = await (async () => {
      await using closed = await serving()
      return closed
    })()
    expect(await failing(`http://dead.test:${port}/`, here)).toMatchObject({ code: 'NETWORK' })
  })

  test.each([
    ['closes the connection', ''],
    ['does not send HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['stops in the middle', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'],
    ['stops in a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab']
  ])('a server that %s is a network error', async (_title, bytes) => {
    const tcp = createTcpServer(socket => socket.on('error', () => {}).once('data', () => socket.end(bytes)))
    await using server = await accepting(tcp)
    const error = await failing(`http://odd.test:${server.port}/`, here)
    expect(error).toMatchObject({ name: 'OutboundError', code: 'NETWORK' })
  })

  test('endless headers are too large', async () => {
    const tcp = createTcpServer(socket => {
      socket
        .on('error', () => {})
        .once('data', () => socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}`))
    })
    await using server = await accepting(tcp)
    expect(await failing(`http://odd.test:${server.port}/`, here)).toMatchObject({ code: 'TOO_LARGE' })
  })

  test('plain HTTP on an https URL is a network error', async () => {
    await using server = await serving()
    expect(await failing(`https://plain.test:${server.port}/`, here)).toMatchObject({ code: 'NETWORK' })
  })
})

test('an invalid header is not quoted in the error, because it can be a credential', async () => {
  for (const value of ['Bearer a-secret\nof-ada', 'Bearer a-secret\0of-ada', 'Bearer a-secretŁ']) {
    const request = safeFetch(parseEgressPolicy(''), 'https://a.example/', {
      headers: { authorization: value }
    })
    await expect(request).rejects.toThrow(expect.not.stringContaining('a-secret'))
  }
})
