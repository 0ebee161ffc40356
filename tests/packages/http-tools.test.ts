import { createHmac } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { redeliver } from '#lib/deliveries/redeliver.ts'
import { type Example, startExample } from '#tests/examples/start-example.ts'
import { type ExternalRequest, startExternalSystem } from '#tests/support/fakes/external-system.ts'
import {
  input,
  newStore,
  programs,
  runs,
  startWaystation
} from '#tests/support/fakes/http-tools/start-waystation.ts'

/** Passes requests on to a program, and repeats them. While `isDown`, it only records them. */
async function startProxy(target: () => string) {
  const state = { isDown: false }
  const forward = ({ method, path, headers, body }: ExternalRequest) =>
    fetch(target() + path, { method, headers: headers as Record<string, string>, body })
  const system = await startExternalSystem(async (response, request) => {
    if (state.isDown) return response.writeHead(503).end()
    // The program can end with the test, before its response has arrived.
    const answer = await forward(request).catch(() => new Response('', { status: 502 }))
    response.writeHead(answer.status).end(await answer.text())
  })
  return { ...system, state, repeat: (request: ExternalRequest) => forward(request) }
}

/** Signs a body like a Waystation server. */
function signed(secret: string, body: string, at = Math.floor(Date.now() / 1000)) {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key).update(`dlv_1.${at}.${body}`).digest('base64')
  const headers = {
    'webhook-id': 'dlv_1',
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,${signature}`
  }
  return { method: 'POST', body, headers }
}

const otherSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

describe.each(Object.entries(programs))('HTTP tools in %s', (_, [command, args]) => {
  const start = (settings: Record<string, string>) => startExample(command, args, settings)
  const definitionOf = async (program: Example, name: string) =>
    (await fetch(`${program.url}/${name}`)).json() as Promise<Record<string, unknown>>

  test('a tool describes itself, and the model receives its output', async () => {
    const server = await startWaystation('order')
    const program = await start({ SECRETS: `${otherSecret} ${server.secret}` })
    const definition = await definitionOf(program, 'order')
    expect(definition).toMatchObject({
      name: 'order',
      title: 'Store',
      description: 'Orders from the store.',
      inputSchema: { type: 'object', required: ['item'], properties: { item: { type: 'string' } } },
      outputSchema: { type: 'object', required: ['eta'] },
      approval: 'ask'
    })
    const { session, settled } = await server.open(definition, program.url)
    expect(await settled()).toMatchObject({
      state: 'answered',
      via: 'callback',
      output: { eta: '1 lamp oil on Monday' }
    })
    await session.waitForText('Done.')
    expect(JSON.stringify(server.model.requests.at(-1)?.body)).toContain('lamp oil on Monday')
  })

  test('a request without a valid signature runs nothing', async () => {
    const server = await startWaystation('order')
    const program = await start({ SECRETS: otherSecret })
    const { call } = await server.open(await definitionOf(program, 'order'), program.url)
    await expect.poll(server.delivery).toMatchObject({ state: 'failed', attempts: [{ status: 401 }] })
    const body = JSON.stringify({
      type: 'call.opened',
      toolCallId: call.toolCallId,
      toolName: 'order',
      sessionId: 's',
      agentId: 'test',
      input,
      answerUrl: 'http://127.0.0.1:9/',
      deadline: call.deadline
    })
    const now = Math.floor(Date.now() / 1000)
    const { headers } = signed(otherSecret, body)
    for (const [request, status] of [
      [{ method: 'POST', body }, 401],
      [signed(server.secret, body), 401],
      [signed(otherSecret, body, now - 302), 401],
      [signed(otherSecret, body, now + 302), 401],
      [{ method: 'POST', body: body.replace('lamp', 'damp'), headers }, 401],
      [{ method: 'POST', body, headers: { ...headers, 'webhook-timestamp': String(now - 1) } }, 401],
      [{ method: 'POST', body, headers: { ...headers, 'webhook-signature': 'v1,%%% v2,x v1,' } }, 401],
      [signed(otherSecret, body.replace('call.opened', 'call.closed')), 400],
      [signed(otherSecret, '{'), 400],
      [signed(otherSecret, '[]'), 400],
      [{ method: 'PUT', body }, 405]
    ] as const)
      expect((await fetch(`${program.url}/order`, request)).status, JSON.stringify(request)).toBe(status)
    expect(runs(program)).toEqual([])
  })

  test('the same call again gets the same answer without a second run, while it runs and afterwards', async () => {
    const server = await startWaystation('slow')
    const program = await start({ SECRETS: server.secret, SLOW_MS: '500' })
    const proxy = await startProxy(() => program.url)
    const { settled } = await server.open(await definitionOf(program, 'slow'), proxy.url)
    const repeated = proxy.repeat(await proxy.request(0))
    expect(await settled()).toMatchObject({ state: 'answered', output: { eta: 'Tuesday' } })
    const first = await (await repeated).json()
    expect(first).toMatchObject({ status: 'accepted' })
    const after = await proxy.repeat(await proxy.request(0))
    expect([after.status, await after.json()]).toEqual([200, first])
    expect(runs(program)).toHaveLength(1)
  })

  test('a slow tool confirms receipt in time and answers when it is done', async () => {
    const server = await startWaystation('slow')
    const program = await start({ SECRETS: server.secret, CONFIRM_MS: '50', SLOW_MS: '1000' })
    const { settled } = await server.open(await definitionOf(program, 'slow'), program.url)
    await expect.poll(server.delivery).toMatchObject({ state: 'delivered', attempts: [{ status: 202 }] })
    expect(await settled()).toMatchObject({ state: 'answered', output: { eta: 'Tuesday' } })
  })

  test('a program answers later, and learns the outcome of each answer', async () => {
    const server = await startWaystation('late')
    const program = await start({ SECRETS: server.secret })
    const { call, settled } = await server.open(await definitionOf(program, 'late'), program.url)
    await expect.poll(server.delivery).toMatchObject({ state: 'delivered', attempts: [{ status: 202 }] })
    program.type('go')
    expect(await settled()).toMatchObject({ state: 'answered', output: { eta: 'Friday' } })
    await expect.poll(() => program.lines.at(-1)).toBe('answered accepted accepted settled rejected')
    expect(runs(program)).toEqual([`run late ${call.toolCallId}`])
  })

  test('a call whose result is stored is answered after a restart without a second run', async () => {
    const server = await startWaystation('order')
    let program = await start({ SECRETS: server.secret })
    const proxy = await startProxy(() => program.url)
    proxy.state.isDown = true
    const { session, settled } = await server.open(await definitionOf(program, 'order'), proxy.url)
    await expect.poll(server.delivery).toMatchObject({ state: 'failed', attempts: [{ status: 503 }] })
    const opened = JSON.parse((await proxy.request(0)).body)
    const stored = { [opened.toolCallId]: { call: opened, result: { output: { eta: 'Sunday' } } } }
    program = await start({ SECRETS: server.secret, STORE: newStore(JSON.stringify(stored)) })
    proxy.state.isDown = false
    await redeliver(server.ctx, { sessionId: session.id, deliveryId: (await server.delivery())?.id ?? '' })
    expect(await settled()).toMatchObject({ state: 'answered', output: { eta: 'Sunday' } })
    expect(runs(program)).toEqual([])
  })

  test('a store has the call before it runs, and its result afterwards', async () => {
    const server = await startWaystation('order')
    const STORE = newStore()
    const program = await start({ SECRETS: server.secret, STORE })
    const { call, settled } = await server.open(await definitionOf(program, 'order'), program.url)
    await settled()
    expect(JSON.parse(readFileSync(STORE, 'utf8'))).toEqual({
      [call.toolCallId]: {
        call: expect.objectContaining({
          toolCallId: call.toolCallId,
          toolName: 'order',
          input: { item: 'lamp oil', count: 1 }
        }),
        result: { output: { eta: '1 lamp oil on Monday' } }
      }
    })
  })

  test.each([
    ['throws', /^TOOL_FAILED: /, /^error .*1234/],
    ['refuses', /^The store is closed\.$/, undefined],
    ['garbage', /^INVALID_OUTPUT: /, /^error .*eta/],
    ['circular', /^INVALID_OUTPUT: /, /^error /i],
    ['huge', /^OUTPUT_TOO_LARGE: /, undefined]
  ])('the tool "%s" gives the model an error with its reason', async (name, errorText, line) => {
    const server = await startWaystation(name)
    const program = await start({ SECRETS: server.secret })
    const { settled } = await server.open(await definitionOf(program, name), program.url)
    const call = await settled()
    expect(call).toMatchObject({ state: 'failed', errorText: expect.stringMatching(errorText) })
    expect(call.errorText).not.toContain('1234')
    if (line) await expect.poll(() => program.lines).toContainEqual(expect.stringMatching(line))
  })

  test('a tool with approval receives its call only after a person has approved it, with the edited input', async () => {
    const server = await startWaystation('order')
    const program = await start({ SECRETS: server.secret })
    const definition = await definitionOf(program, 'order')
    const { session, call } = await server.open(definition, program.url, String(definition.approval))
    expect(call.kind).toBe('approval')
    expect(await server.delivery()).toBeUndefined()
    await session.answer(call, { approved: true, input: { item: 'tea', count: 2 } })
    await session.waitForText('Done.')
    expect(runs(program)).toEqual([`run order ${call.toolCallId}`])
    expect(JSON.stringify(server.model.requests.at(-1)?.body)).toContain('2 tea on Monday')
  })

  test('input that does not match the schema gives the model an error that names the field', async () => {
    const server = await startWaystation('order', { item: 'lamp oil', count: 'many' })
    const program = await start({ SECRETS: server.secret })
    // The agent's schema is older than the tool's, so the server accepts the input.
    const definition = { ...(await definitionOf(program, 'order')), inputSchema: { type: 'object' } }
    const { settled } = await server.open(definition, program.url)
    expect(await settled()).toMatchObject({
      state: 'failed',
      errorText: expect.stringMatching(/^INVALID_INPUT: .*count/)
    })
    expect(runs(program)).toEqual([])
  })

  test('an agent with a stricter schema gives the model an error too', async () => {
    const server = await startWaystation('order')
    const program = await start({ SECRETS: server.secret })
    const definition = { ...(await definitionOf(program, 'order')), outputSchema: { type: 'array' } }
    const { settled } = await server.open(definition, program.url)
    expect(await settled()).toMatchObject({
      state: 'failed',
      errorText: expect.stringMatching(/^INVALID_OUTPUT: /)
    })
  })
})

/** Returns the first code block in a language on docs/http-tools.md. */
const blockOf = (language: string) =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(
    readFileSync('docs/http-tools.md', 'utf8')
  )?.[1] ?? ''

/** Serves the routes of a Next.js route file. */
const routeServer = `import { createServer } from 'node:http'
import { nodeListener } from '@waystation/server/node'
import * as route from './route.ts'
const server = createServer(nodeListener(request => route[request.method](request)))
server.listen(Number(process.env.PORT), () => console.log('Listening on http://127.0.0.1:' + server.address().port))`

test.each([
  ['ts', 'route.ts', process.execPath, 'start.mjs', { 'start.mjs': routeServer }],
  ['python', 'weather.py', 'python3', 'weather.py', {}]
] as const)(
  'the %s code of docs/http-tools.md answers a call',
  async (language, name, command, script, more) => {
    const folder = mkdtempSync(join(tmpdir(), 'waystation-docs-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
    copyFileSync('examples/external-tool/waystation_server.py', join(folder, 'waystation_server.py'))
    const block = blockOf(language).replace('port=4002', 'port=0')
    for (const [file, text] of Object.entries({ [name]: block, ...more }))
      writeFileSync(join(folder, file), text)
    const server = await startWaystation('weather', { city: 'Lima' })
    const program = await startExample(command, [join(folder, script)], { TOOL_SECRET: server.secret })
    const definition = await (await fetch(`${program.url}/weather`)).json()
    expect(definition).toMatchObject({
      name: 'weather',
      description: 'Returns the usual temperature of a city.',
      inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
    })
    const { settled } = await server.open(definition, program.url)
    expect(await settled()).toMatchObject({ state: 'answered', output: { celsius: 19 } })
  }
)
