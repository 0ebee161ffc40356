import { parseEgressPolicy } from '@waystation/egress'
import { parseAddress } from '@waystation/plugin-host/address.ts'
import { connectPlugin } from '@waystation/plugin-host/connect-plugin.ts'
import type { PluginState } from '@waystation/plugin-host/plugin-state.ts'
import type { PluginTls } from '@waystation/plugin-host/read-tls.ts'
import { supervise } from '@waystation/plugin-host/supervise.ts'
import { expect, onTestFinished, test } from 'vitest'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { makeCertificate } from '#tests/support/fakes/certificates.ts'
import {
  gibberish,
  serveGibberish,
  serveWrongAnswer,
  wrongAnswers
} from '#tests/support/fakes/plugins/gibberish.ts'
import { serveTestPlugin } from '#tests/support/fakes/plugins/serve-test-plugin.ts'
import { ManualClock } from '#tests/support/servers/manual-clock.ts'

/** Connects to the plugin at an address. `allow` extends the allowed egress. */
function connected(address: string, allow: string | undefined, tls: PluginTls = {}) {
  const calls = connectPlugin(parseAddress(address), { policy: parseEgressPolicy(allow), tls })
  onTestFinished(() => calls.close('The test is over.'))
  return calls
}

/** Supervises a remote plugin with a clock that the test controls. */
function supervised(port: number, allow = `127.0.0.1:${port}`) {
  const clock = new ManualClock()
  const states: PluginState['kind'][] = []
  const plugin = supervise({
    name: 'twin',
    source: {
      kind: 'remote',
      address: parseAddress(`remote://127.0.0.1:${port}`),
      policy: parseEgressPolicy(allow)
    },
    config: { unit: 'metric' },
    envVars: { CITY: 'Bergen' },
    platform: { address: 'waystation.example:9443', token: 'secret' },
    clock,
    onState: ({ kind }) => states.push(kind)
  })
  onTestFinished(plugin.stop)
  return { plugin, clock, states }
}

test('an address has a host, a port and optional TLS, and any other address is rejected with the correct syntax', () => {
  expect(parseAddress('remote://plugins.example:9010').url.href).toBe('http://plugins.example:9010/')
  expect(parseAddress('GRPC://127.0.0.1:9010').secure).toBe(false)
  expect(parseAddress('remotes://plugins.example:443').target).toEqual({
    protocol: 'https:',
    host: 'plugins.example',
    port: 443
  })
  expect(parseAddress('grpcs://[::1]:9010').secure).toBe(true)
  for (const address of [
    'plugins.example:9010',
    'http://plugins.example:9010',
    'remote://plugins.example',
    'remote://user:word@plugins.example:9010',
    'remote://plugins.example:9010/path',
    'remote://:9010',
    'remote://plugins.example:99999',
    'constructor://a:1',
    ''
  ])
    expect(() => parseAddress(address), address).toThrow(
      address === '' ? undefined : JSON.stringify(address).slice(1, -1)
    )
})

test('a plugin at a private address, under any name, is not called unless the egress settings allow it', async () => {
  const { port, registered } = await serveTestPlugin()
  for (const host of ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]'])
    await expect(connected(`remote://${host}:${port}`, undefined).health(), host).rejects.toMatchObject({
      reason: 'blocked'
    })
  const calls = connected(`remote://127.0.0.1:${port}`, '10.0.0.0/8')
  expect(await calls.executeTool({ name: 'echo', args: {} })).toMatchObject({
    ok: false,
    reason: expect.stringContaining('WAYSTATION_EGRESS_ALLOW')
  })
  await expect(Array.fromAsync(calls.complete({ model: '', messages: [], tools: [] }))).rejects.toMatchObject(
    {
      reason: 'blocked'
    }
  )
  const user = { workspaceId: 'w', userId: 'u', userEmail: 'e' }
  async function* noMessages() {}
  await expect(Array.fromAsync(calls.handleStream(user, noMessages()))).rejects.toMatchObject({
    reason: 'blocked'
  })
  expect(registered).toEqual([])
  expect(await connected(`remote://localhost:${port}`, 'localhost').health()).toBe(true)
})

test('a name is resolved once per connection, and later answers are not used', async () => {
  const { port } = await serveTestPlugin()
  const addresses = [['127.0.0.1'], ['169.254.169.254']]
  const policy = parseEgressPolicy('127.0.0.0/8', { resolve: async () => addresses.shift() ?? ['10.0.0.1'] })
  const calls = connectPlugin(parseAddress(`remote://rebinding.example:${port}`), { policy })
  onTestFinished(() => calls.close('The test is over.'))
  expect(await calls.health()).toBe(true)
  expect(addresses).toHaveLength(1)
  expect(await calls.health()).toBe(true)
  const second = connectPlugin(parseAddress(`remote://rebinding.example:${port}`), { policy })
  await expect(second.health()).rejects.toMatchObject({ reason: 'blocked' })
})

test('with TLS, a plugin is called only if its certificate is trusted', async () => {
  const { key, cert: ca } = makeCertificate('localhost')
  const { port } = await serveTestPlugin({ tls: { key, cert: ca } })
  const address = `remotes://localhost:${port}`
  expect(await connected(address, 'localhost', { ca }).health()).toBe(true)
  await expect(connected(address, 'localhost').health()).rejects.toMatchObject({ reason: 'unavailable' })
  await expect(connected(`remotes://127.0.0.1:${port}`, '127.0.0.1', { ca }).health()).rejects.toMatchObject({
    reason: 'unavailable'
  })
  await expect(connected(`remote://localhost:${port}`, 'localhost').health()).rejects.toMatchObject({
    reason: 'unavailable'
  })
})

test.each(Object.entries(gibberish))(
  'a server that %s does no harm: the call ends with a reason',
  async (_, handleSocket) => {
    const calls = connected(`remote://127.0.0.1:${await serveGibberish(handleSocket)}`, '127.0.0.1')
    await expect(calls.health({ timeoutMs: 500 })).rejects.toMatchObject({
      reason: expect.stringMatching(/^(unavailable|late)$/)
    })
    expect(await calls.executeTool({ name: 'echo', args: {} }, { timeoutMs: 500 })).toMatchObject({
      ok: false
    })
  }
)

test.each(Object.entries(wrongAnswers))(
  'a server that answers with %s does no harm: the call ends with a reason',
  async (_, answer) => {
    const calls = connected(`remote://127.0.0.1:${await serveWrongAnswer(answer)}`, '127.0.0.1')
    await expect(calls.register({ config: {}, envVars: {} }, { timeoutMs: 1_000 })).rejects.toMatchObject({
      name: 'PluginError'
    })
    expect(await calls.executeTool({ name: 'echo', args: {} }, { timeoutMs: 1_000 })).toMatchObject({
      ok: false
    })
  }
)

test('003-10: a tool call that no program can have received does not say that it may have taken effect', async () => {
  const { port, stop } = await serveTestPlugin()
  await stop()
  const outcome = await connected(`remote://127.0.0.1:${port}`, '127.0.0.1').executeTool({
    name: 'echo',
    args: {}
  })
  expect(outcome).toEqual({ ok: false, reason: expect.stringContaining('unavailable') })
  expect(outcome).not.toMatchObject({ reason: expect.stringContaining('taken effect') })
})

test('003-2, 003-17: a remote plugin receives the variables of the workspace and the address of the platform', async () => {
  const { port, registered } = await serveTestPlugin()
  const { plugin } = supervised(port)
  await expect.poll(() => plugin.state.kind).toBe('serving')
  const envVars = {
    CITY: 'Bergen',
    PLATFORM_HOST_ADDR: 'waystation.example:9443',
    PLATFORM_HOST_TOKEN: 'secret'
  }
  expect(registered).toEqual([{ config: { unit: 'metric' }, envVars, token: null }])
})

test('003-3: a remote plugin that is down is retried forever, and registers again when it is back', async () => {
  const testPlugin = await serveTestPlugin()
  const { plugin, clock, states } = supervised(testPlugin.port)
  await expect.poll(() => plugin.state.kind).toBe('serving')
  await testPlugin.stop()
  await expect.poll(() => clock.waits()).toContain(250)
  clock.advance(250)
  for (let tries = 0; tries < 10; tries++) {
    await expect.poll(() => plugin.state.kind).toBe('restarting')
    const { waitMs } = plugin.state as { waitMs: number }
    expect(waitMs).toBe(Math.min(30_000, 250 * 2 ** tries))
    clock.advance(waitMs)
    await expect.poll(() => states.filter(kind => kind === 'restarting').length).toBe(tries + 2)
  }
  await testPlugin.start()
  clock.advance(30_000)
  await expect.poll(() => plugin.state.kind).toBe('serving')
  expect(testPlugin.registered).toHaveLength(2)
  expect(await plugin.calls().executeTool({ name: 'echo', args: { a: 1 } })).toEqual({
    ok: true,
    result: { a: 1 }
  })
})

test('003-3: a call to a remote plugin that is down ends its wait, and starts the plugin if it is back', async () => {
  const testPlugin = await serveTestPlugin()
  const { plugin, clock, states } = supervised(testPlugin.port)
  const failures = () => states.filter(kind => kind === 'restarting').length
  await expect.poll(() => plugin.state.kind).toBe('serving')
  await testPlugin.stop()
  await expect.poll(() => clock.waits()).toContain(250)
  clock.advance(250)
  for (let tries = 0; tries < 5; tries++) {
    await expect.poll(failures).toBe(tries + 1)
    clock.advance(250 * 2 ** tries)
  }
  await expect.poll(() => plugin.state).toMatchObject({ kind: 'restarting', waitMs: 8_000 })
  // A call right after a start that failed does not try again at once.
  await plugin.wake()
  expect(failures()).toBe(6)
  clock.advance(250)
  await Promise.all([plugin.wake(), plugin.wake()])
  expect(failures()).toBe(7)
  expect(plugin.state).toMatchObject({ kind: 'restarting', waitMs: 250 })

  await testPlugin.start()
  clock.advance(250)
  await expect.poll(() => plugin.state.kind).toBe('serving')
  await plugin.wake()
  expect(await plugin.calls().health()).toBe(true)
})

test('003-3: a remote plugin that was restarted often does not wait longer each time if it served in between', async () => {
  const testPlugin = await serveTestPlugin()
  const { plugin, clock, states } = supervised(testPlugin.port)
  for (let restarts = 1; restarts < 5; restarts++) {
    await expect.poll(() => plugin.state.kind).toBe('serving')
    await expect.poll(() => clock.waits()).toContain(10_000)
    clock.advance(10_000)
    await testPlugin.stop()
    await expect.poll(() => clock.waits()).toContain(250)
    clock.advance(250)
    await expect.poll(() => states.filter(kind => kind === 'restarting').length).toBe(restarts)
    expect(plugin.state).toMatchObject({ waitMs: 250 })
    await testPlugin.start()
    clock.advance(250)
  }
})

test('003-3: a remote plugin that restarts between two health checks registers again', async () => {
  const testPlugin = await serveTestPlugin()
  const { plugin, clock, states } = supervised(testPlugin.port)
  await expect.poll(() => plugin.state.kind).toBe('serving')
  await testPlugin.stop()
  await testPlugin.start()
  await expect.poll(() => clock.waits()).toContain(250)
  clock.advance(250)
  await expect.poll(() => testPlugin.registered).toHaveLength(2)
  expect(states.filter(kind => kind !== 'serving')).toEqual(['starting'])
})

test('a remote plugin at a blocked address fails at once', async () => {
  const { port } = await serveTestPlugin()
  const { plugin } = supervised(port, '10.0.0.1')
  await expect.poll(() => plugin.state).toMatchObject({ kind: 'failed', why: expect.any(String) })
})

test.each([
  ['too many tools', 201, '', '201'],
  ['schemas that are too large together', 20, JSON.stringify({ title: 'x'.repeat(60_000) }), '']
])('003-9: a list with %s is rejected as a whole', async (_, count, parametersJsonSchema, why) => {
  const tools = Array.from({ length: count }, (_, at) => ({
    name: `t${at}`,
    description: '',
    parametersJsonSchema
  }))
  const { port } = await serveTestPlugin({ tools })
  const listed = connected(`remote://127.0.0.1:${port}`, '127.0.0.1').listTools()
  await expect(listed).rejects.toMatchObject({ reason: 'invalid', message: expect.stringContaining(why) })
})

test('003-14: a stream reads from each side only as much as the other side accepts', async () => {
  allowErrors(/write ECANCELED/)
  const plugin = await serveTestPlugin()
  const calls = connected(`remote://127.0.0.1:${plugin.port}`, '127.0.0.1')
  let sent = 0
  const chunk = new Uint8Array(64 * 1024)
  async function* endless() {
    for (;;) {
      sent += 1
      yield chunk
    }
  }
  const user = { workspaceId: 'w', userId: 'u', userEmail: 'e' }
  const received = calls.handleStream(user, endless())
  await received.next()
  let [before, unchanged] = [-1, 0]
  await expect
    .poll(() => {
      unchanged = sent === before ? unchanged + 1 : 0
      before = sent
      return unchanged
    })
    .toBeGreaterThan(4)
  expect(sent).toBeLessThan(200)
  for (let at = 0; at < 500; at++) await received.next()
  expect(sent).toBeGreaterThan(400)
  await received.return(undefined)
  const { receivedCount } = plugin
  expect(await calls.health()).toBe(true)
  expect(plugin.receivedCount - receivedCount).toBeLessThan(200)
})
