import { lookup } from 'node:dns/promises'
import { createServer as createTlsServer } from 'node:tls'
import { parseEgressPolicy, safeFetch } from '@waystation/egress'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { literals, names } from '#tests/support/fakes/net-hostile.ts'
import { accepting, moved, serving } from '#tests/support/fakes/net-listen.ts'

const blocked = { name: 'OutboundError', code: 'BLOCKED_TARGET' }

let canary: Awaited<ReturnType<typeof serving>>
let front: Awaited<ReturnType<typeof serving>>
beforeAll(async () => {
  canary = await serving()
  front = await serving()
})
afterAll(async () => {
  await canary[Symbol.asyncDispose]()
  await front[Symbol.asyncDispose]()
})

describe('001-20: no private target can be reached, in any notation (surface 2)', () => {
  test('the canary can be reached if it is allowed, so the other tests are meaningful', async () => {
    await using open = await serving()
    const policy = parseEgressPolicy(`127.0.0.1:${open.port},[::1]:${open.port}`)
    expect((await safeFetch(policy, `http://2130706433:${open.port}/`)).text()).toBe('hello')
    expect((await safeFetch(policy, `http://[::ffff:7f00:1]:${open.port}/`)).text()).toBe('hello')
    expect((await safeFetch(policy, `http://LocalHost.:${open.port}/`)).status).toBe(200)
    expect(open.connections()).toBeGreaterThan(0)
  })

  test(`${literals.length + names.length} forms of private targets bring no connection`, async () => {
    expect(literals.length + names.length).toBeGreaterThanOrEqual(52)
    const policy = parseEgressPolicy('')
    for (const host of [...literals, ...names]) {
      await expect(safeFetch(policy, `http://${host}:${canary.port}/`), host).rejects.toMatchObject(blocked)
    }
    expect(canary.connections()).toBe(0)
  })

  test('the same targets behind a redirect open no connection either', async () => {
    const policy = parseEgressPolicy(`127.0.0.1:${front.port}`)
    for (const host of [...literals, ...names]) {
      const request = safeFetch(policy, moved(front.origin, `http://${host}:${canary.port}/`))
      await expect(request, host).rejects.toMatchObject(blocked)
    }
    const relative = safeFetch(policy, moved(front.origin, `//127.1:${canary.port}/`, 307))
    await expect(relative).rejects.toMatchObject(blocked)
    expect(canary.connections()).toBe(0)
  })

  test.each([
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:text/plain,hi',
    'gopher://127.0.0.1/',
    'javascript:1',
    '//example.com/',
    'example.com',
    '',
    'http://',
    'http://./',
    'http://user@example.com/',
    'http://:secret@example.com/',
    'http://example.com:99999/',
    'http://[fe80::1%25lo]/',
    'http://[::1',
    'http://exa mple.com/',
    `http://example.com/${'a'.repeat(9000)}`
  ])('%s is not a URL that can be called', async url => {
    const failingResolver = { resolve: () => Promise.reject(new Error('looked up')) }
    await expect(safeFetch(parseEgressPolicy('', failingResolver), url)).rejects.toMatchObject({
      code: 'BAD_URL'
    })
  })

  test('a redirect to another scheme, or with a password, is rejected', async () => {
    const policy = parseEgressPolicy(`127.0.0.1:${front.port}`)
    for (const target of [
      'file:///etc/passwd',
      'ftp://a.test/',
      `http://u:p@127.0.0.1:${front.port}/`,
      'http://'
    ]) {
      await expect(safeFetch(policy, moved(front.origin, target)), target).rejects.toMatchObject({
        code: 'BAD_URL'
      })
    }
  })
})

describe('all addresses of a name are checked, and connections use only those', () => {
  const answering = (...answers: string[][]) => {
    const lookups: string[] = []
    const resolve = async (hostname: string) => {
      lookups.push(hostname)
      return answers[Math.min(lookups.length, answers.length) - 1]!
    }
    return { lookups, resolve }
  }

  test.each([
    [['127.0.0.1']],
    [['93.184.216.34', '127.0.0.1']],
    [['127.0.0.1', '93.184.216.34']],
    [['2606:4700:4700::1111', '::1']],
    [['::ffff:127.0.0.1']],
    [['64:ff9b::7f00:1']],
    [['169.254.169.254']],
    [['not an address']],
    [[]]
  ])('a name with the addresses %j is blocked', async addresses => {
    const policy = parseEgressPolicy('', answering(addresses))
    const error = await safeFetch(policy, `http://nip.test:${canary.port}/`).catch(error => error)
    expect(error).toMatchObject(blocked)
    expect(error.message).toContain('WAYSTATION_EGRESS_ALLOW')
    for (const address of addresses) expect(error.message).not.toContain(address)
    expect(canary.connections()).toBe(0)
  })

  test('DNS rebinding: the connection uses the address that was checked, without a second lookup', async () => {
    await using server = await serving()
    const dns = answering(['127.0.0.1'], ['127.0.0.2'])
    const policy = parseEgressPolicy(`127.0.0.1:${server.port}`, dns)
    expect((await safeFetch(policy, `http://rebind.test:${server.port}/`)).text()).toBe('hello')
    expect(dns.lookups).toEqual(['rebind.test'])
    expect(server.requests[0]!.headers.host).toBe(`rebind.test:${server.port}`)
    expect(server.requests[0]!.socket.localAddress).toContain('127.0.0.1')
  })

  test('a name whose address becomes private between two requests is blocked', async () => {
    await using server = await serving()
    const dns = answering(['127.0.0.1'], ['127.0.0.2'])
    const policy = parseEgressPolicy(`127.0.0.1:${server.port}`, dns)
    const away = `http://rebind.test:${server.port}/moved?to=http://rebind.test:${canary.port}/`
    await expect(safeFetch(policy, away)).rejects.toMatchObject(blocked)
    expect(canary.connections()).toBe(0)
  })

  test('if the first of several permitted addresses fails, the next one is tried', async () => {
    await using server = await serving(undefined, '127.0.0.1')
    const policy = parseEgressPolicy('many.test', answering(['::1', '127.0.0.1']))
    expect((await safeFetch(policy, `http://many.test:${server.port}/`)).status).toBe(200)
  })

  test('an allowed name can have any address, but other names for that address are blocked', async () => {
    const policy = parseEgressPolicy(`samples.test:${front.port}`, answering(['127.0.0.1']))
    expect((await safeFetch(policy, `http://Samples.TEST.:${front.port}/`)).status).toBe(200)
    await expect(safeFetch(policy, `http://other.test:${front.port}/`)).rejects.toMatchObject(blocked)
    await expect(safeFetch(policy, front.origin)).rejects.toMatchObject(blocked)
  })

  test('a connection of one policy is not reused by another policy', async () => {
    await using server = await serving()
    await safeFetch(parseEgressPolicy(`127.0.0.1:${server.port}`), server.origin)
    await expect(safeFetch(parseEgressPolicy(''), server.origin)).rejects.toMatchObject(blocked)
    expect(server.requests).toHaveLength(1)
  })

  test('TLS uses the host name, not the address', async () => {
    const serverNames: string[] = []
    const tls = createTlsServer({
      SNICallback: (name, callback) => {
        serverNames.push(name)
        callback(new Error('no certificate here'))
      }
    })
    tls.on('tlsClientError', () => {})
    await using server = await accepting(tls)
    const policy = parseEgressPolicy('secure.test', answering(['127.0.0.1']))
    const error = await safeFetch(policy, `https://secure.test:${server.port}/`).catch(error => error)
    expect(error).toMatchObject({ code: 'NETWORK' })
    expect(serverNames).toEqual(['secure.test'])
  })

  test('proxies in the environment are not used', async () => {
    onTestFinished(() => void vi.unstubAllEnvs())
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY'])
      vi.stubEnv(name, canary.origin)
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    const policy = parseEgressPolicy(`127.0.0.1:${front.port}`)
    expect((await safeFetch(policy, front.origin)).text()).toBe('hello')
    expect(canary.connections()).toBe(0)
  })

  test('the default is the system resolver, which knows localhost', async () => {
    expect((await lookup('localhost', { all: true })).length).toBeGreaterThan(0)
    expect((await safeFetch(parseEgressPolicy('localhost'), `http://localhost:${front.port}/`)).status).toBe(
      200
    )
  })
})
