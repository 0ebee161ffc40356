import { addFields, log, logFrom, withFields, withOwnFields } from '@waystation/base/log.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { users } from '#db/schema/workspaces.ts'
import { cpuTimeOf } from '#tests/support/cpu-time.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { createDatabase } from '#tests/support/servers/database.ts'
import { retryUntilAnswered } from '#tests/support/servers/retry-until-answered.ts'
import { startServer } from '#tests/support/servers/start-server.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

type Line = Record<string, unknown>

/** Returns the lines that `work` writes to standard error, parsed. */
async function linesOf(work: () => unknown): Promise<Line[]> {
  const written: string[] = []
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation(chunk => {
    written.push(String(chunk))
    return true
  })
  try {
    await work()
  } finally {
    spy.mockRestore()
  }
  return written.join('').trim().split('\n').filter(Boolean).map(parse)
}

const parse = (line: string): Line => JSON.parse(line)
afterEach(() => logFrom('info'))

test('a log line contains the fields of its context, including later ones, across awaits too', async () => {
  const lines = await linesOf(() =>
    withFields({ requestId: 'r1' }, async () => {
      await withFields({ sessionId: 's1' }, async () => {
        await Promise.resolve()
        addFields({ turnId: 't1' })
        log('info', 'inside', { more: 1 })
        withOwnFields({ sessionId: 's2' }, () => log('info', 'apart'))
      })
      log('info', 'outside')
    })
  )
  const [inside, apart, externalSystem] = lines
  expect(inside).toMatchObject({
    message: 'inside',
    requestId: 'r1',
    sessionId: 's1',
    turnId: 't1',
    more: 1
  })
  expect(apart).toMatchObject({ sessionId: 's2' })
  expect(apart).not.toHaveProperty('requestId')
  expect(externalSystem).not.toHaveProperty('sessionId')
})

test('concurrent tasks do not mix their fields', async () => {
  const lines = await linesOf(() =>
    Promise.all(
      ['a', 'b', 'c'].map(sessionId =>
        withOwnFields({}, async () => {
          addFields({ sessionId })
          await new Promise(resolve => setImmediate(resolve))
          log('info', sessionId)
        })
      )
    )
  )
  for (const line of lines) expect(line.sessionId).toBe(line.message)
  expect(lines).toHaveLength(3)
})

test('lines below the level are not written', async () => {
  logFrom('warn')
  const lines = await linesOf(() => {
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log(level, level)
  })
  expect(lines.map(({ message }) => message)).toEqual(['warn', 'error'])
})

test.each([
  `way_${'k'.repeat(43)}`,
  `wst_${'k'.repeat(43)}`,
  `whsec_${'k'.repeat(32)}`,
  `Bearer ${'k'.repeat(20)}`,
  `postgres://me:${'k'.repeat(9)}@db/way`,
  `http://localhost:3000/external/calls/default~1~1~call_1~${'k'.repeat(43)}`,
  `https://way.example/answer/default~1~1~approval~hook_1~call_1~${'k'.repeat(43)}`,
  `https://way.example/join/${'k'.repeat(43)}`,
  `https://way.example/connect/${'k'.repeat(43)}`,
  `/external/sessions/s/messages?token=default~1~1~${'k'.repeat(43)}`,
  `https://x.example/cb?a=1&code=${'k'.repeat(9)}&state=${'k'.repeat(9)}`
])('a log line never contains a credential: %s', async secret => {
  const lines = await linesOf(() => log('error', 'x', { error: new Error(`It said: ${secret} (no).`) }))
  expect(JSON.stringify(lines)).not.toContain('kkkk')
  expect(lines[0]?.error).toContain('(no).')
})

test('22 X1: a log line never contains the parameters of a failed statement', async () => {
  const { ctx } = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
  const failing = () => ctx.db.insert(users).values({ id: 'u', name: 'Ada\nthe secret', email: 'x' })
  await failing()
  const error = await failing().catch(error => error)
  expect(error.message).toContain('the secret')
  const [line] = await linesOf(() => log('error', 'x', { error }))
  expect(JSON.stringify(line)).not.toContain('the secret')
  expect(line?.error).toContain('insert into')
  expect(line?.stack).toMatch(/\n {4}at /)
})

test('a very long word, which an outsider can put into a URL, is searched quickly', async () => {
  const lines: Line[] = []
  const writing = async () =>
    lines.push(...(await linesOf(() => log('error', 'x', { error: new Error('a-'.repeat(100_000)) }))))
  expect(await cpuTimeOf(writing)).toBeLessThan(2_000)
  expect(lines[0]?.error).toHaveLength(200_000)
})

/** Starts a server and records its log. `stop` returns the lines. */
async function serve(url: string, settings: Record<string, string> = {}) {
  const server = await startServer({ DATABASE_URL: url, ...settings })
  let output = ''
  server.process.stderr?.on('data', text => {
    output += text
  })
  const stop = async () => {
    await server.stop()
    return output.split('\n').filter(Boolean).map(parse)
  }
  return { ...server, stop }
}

test('the response and the log lines of a request carry its ID, and at debug each request has a line without its URL', async () => {
  const server = await serve((await createDatabase()).url, { WAYSTATION_LOG_LEVEL: 'debug' })
  const authorization = `Bearer ${server.apiKey}`
  const request = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, { headers: { authorization, ...headers } })
  const withId = await request('/api/sessions/welcome?token=hidden-things', {
    'x-request-id': 'my-request-0001'
  })
  const withoutId = await request('/api/waiting', { 'x-request-id': 'no"good\u00e9' })
  const [first, second] = [withId, withoutId].map(response => response.headers.get('x-request-id'))
  expect(first).toBe('my-request-0001')
  expect(second).toMatch(/^[\da-f-]{36}$/)
  const capability = `default~1~1~call_x~${'A'.repeat(43)}`
  await fetch(`${server.url}/external/calls/${capability}`, { method: 'POST', body: '{}' })
  const lines = await server.stop()
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: 'debug',
      message: 'a request',
      requestId: first,
      sessionId: 'welcome',
      method: 'GET',
      route: '/api/sessions/{sessionId}',
      status: 200
    })
  )
  expect(lines).toContainEqual(expect.objectContaining({ requestId: second, route: '/api/waiting' }))
  const all = JSON.stringify(lines)
  for (const secret of ['hidden-things', 'AAAA', server.apiKey]) expect(all).not.toContain(secret)
}, 120_000)

test('the log of a failed request names the request, its session and its turn', async () => {
  allowErrors(/"message":"a request/, /notify listener|UNLISTEN/)
  const database = await createDatabase()
  const server = await serve(database.url)
  const headers = { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' }
  await database.drop()
  const response = await fetch(`${server.url}/api/sessions/welcome/messages`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ text: 'a word of a person' })
  })
  expect(response.status).toBeGreaterThanOrEqual(500)
  const requestId = response.headers.get('x-request-id')
  const lines = await server.stop()
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 'error', message: 'a request failed', requestId, sessionId: 'welcome' })
  )
  expect(lines).toContainEqual(expect.objectContaining({ level: 'error', message: 'a request', requestId }))
  expect(JSON.stringify(lines)).not.toContain('a word of a person')
}, 120_000)

test('log lines of a turn name its session and its turn, but not the request that started it', async () => {
  const server = await startTestServer()
  const session = await server.startSession()
  // "Out of disk" is temporary: the lease is released, and the turn continues later.
  await server.sql.unsafe(`
    create function fail() returns trigger language plpgsql as
      $$ begin raise exception 'no room' using errcode = '53100'; end $$;
    create trigger fail before insert on context for each row execute function fail()`)
  const lines = await linesOf(async () => {
    const turnEnd = session.waitForNextEvent(event => event.type === 'status' && event.outcome === 'done')
    await withOwnFields({ requestId: 'of-the-request' }, () => session.send('hello'))
    await retryUntilAnswered(async () => {
      const [row] = await server.sql`select epoch from heads where session_key = ${session.key}`
      expect(row?.epoch).toBeGreaterThan(1)
    })
    await server.sql.unsafe('drop trigger fail on context')
    await turnEnd
  })
  const line = lines.find(({ message }) => String(message).startsWith('A turn failed unexpectedly'))
  expect(line).toMatchObject({ level: 'error', sessionId: session.id, sessionKey: session.key })
  expect(line?.turnId).toMatch(/^turn_/)
  expect(line).not.toHaveProperty('requestId')
})
