import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createToken } from '#lib/auth/tokens/create-token.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { serveApi } from '#tests/support/servers/serve-api.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { startCuttableProxy } from './cuttable-proxy.ts'

const run = promisify(execFile)
/** The folder of a user, where npm has installed the packed packages without a network. */
let project: string

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'waystation-cli-'))
  await writeFile(join(project, 'package.json'), '{ "private": true }')
  const pack = async (cwd: string) => {
    const { stdout } = await run(
      'npm',
      ['pack', '--json', '--ignore-scripts', '--pack-destination', project],
      { cwd }
    )
    const [packed] = Object.values(JSON.parse(stdout)) as { filename: string }[]
    return join(project, packed!.filename)
  }
  for (const name of ['client', 'cli']) await run(process.execPath, [`packages/${name}/build.mjs`])
  const tarballs: string[] = []
  for (const folder of ['packages/cli', 'packages/client', 'node_modules/eventsource-parser'])
    tarballs.push(await pack(folder))
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs], { cwd: project })
}, 300_000)
afterAll(() => rm(project, { recursive: true, force: true }))

type Ended = { code: number; out: string; err: string }

/** Starts the installed program, like a shell in the user's folder. */
function start(url: string, argv: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(project, 'node_modules/.bin/waystation'), ...argv], {
    cwd: project,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      WAYSTATION_URL: url,
      WAYSTATION_API_KEY: 'the-admin-key-of-every-test',
      ...env
    }
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const out: string[] = []
  const err: string[] = []
  child.stdout.on('data', data => void out.push(String(data)))
  child.stderr.on('data', data => void err.push(String(data)))
  const end = new Promise<Ended>(done =>
    child.once('close', code => done({ code: code ?? -1, out: out.join(''), err: err.join('') }))
  )
  return { child, end, text: () => out.join(''), errors: () => err.join('') }
}

/** Returns a server over HTTP, and functions that run the program for it. */
async function serverWithProgram(settings: Record<string, string> = {}) {
  const server = await startTestServer({ settings })
  const url = await serveApi()
  const waystation = (...argv: string[]) => start(url, argv).end
  const json = async (...argv: string[]) => {
    const { code, out, err } = await waystation(...argv, '--json')
    expect({ code, err }, argv.join(' ')).toEqual({ code: 0, err: '' })
    return JSON.parse(out)
  }
  return { server, url, waystation, json }
}

test('the package contains its program, license and README, and no code of this repository beside it', async () => {
  const folder = join(project, 'node_modules/@waystation/cli')
  const { stdout } = await run('find', ['.', '-type', 'f'], { cwd: folder })
  expect(stdout.trim().split('\n').sort()).toEqual([
    './LICENSE',
    './README.md',
    './dist/index.js',
    './package.json'
  ])
  const imported = [...(await readFile(join(folder, 'dist/index.js'), 'utf8')).matchAll(/from "([^"]+)"/g)]
  const others = imported.map(([, name = '']) => name).filter(name => !name.startsWith('node:'))
  expect([...new Set(others)]).toEqual(['@waystation/client'])
})

test('000-4: the same session ID attaches from the command line, and reaches the external system', async () => {
  const external = await startExternalSystem()
  const { url, waystation, json } = await serverWithProgram({ WAYSTATION_EGRESS_ALLOW: external.host })
  await callEndpoint(agentOperations.create, {
    body: {
      agentId: 'acme',
      displayName: 'Acme',
      type: 'external',
      external: { inputUrl: `${external.url}/in` }
    }
  })
  expect(await waystation('attach', 'acme')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^[^\n]+ \[SESSION_ID_REQUIRED\]\n$/)
  })
  const facts = { sessionId: 'order-7', agentId: 'acme' }
  expect(await json('attach', 'acme', 'order-7')).toEqual({ ...facts, created: true, outcome: 'new' })
  expect(await json('attach', 'acme', 'order-7')).toEqual({ ...facts, created: false, outcome: 'attach' })
  expect((await waystation('attach', 'guide', 'order-7')).err).toContain('[SESSION_AGENT_MISMATCH]')

  const send = start(url, ['send', 'order-7', '-'])
  send.child.stdin.end('two crates of lamp oil\n')
  const { body } = await external.request(0)
  const { sessionId, callbackUrl, message } = JSON.parse(body)
  expect({ sessionId, text: message.text }).toEqual({ sessionId: 'order-7', text: 'two crates of lamp oil' })
  const { pathname, search } = new URL(callbackUrl)
  await fetch(url + pathname + search, { method: 'POST', body: 'Sold out.\u001b[2J' })
  expect(await send.end).toEqual({ code: 0, out: 'Sold out.<U+001B>[2J\n', err: '' })
}, 120_000)

test('000-10, 000-22: the external agent gives a session its title, a note reports an unknown ID, and stop reaches the agent', async () => {
  const external = await startExternalSystem((response, { body }) => {
    const { type, sessionId } = JSON.parse(body)
    const known = { exists: sessionId === 'order-7', title: 'Two crates' }
    response.end(type === 'check' ? JSON.stringify(known) : 'ok')
  })
  const { url, waystation, json } = await serverWithProgram({ WAYSTATION_EGRESS_ALLOW: external.host })
  const endpoint = `${external.url}/in`
  await callEndpoint(agentOperations.create, {
    body: {
      agentId: 'acme',
      displayName: 'Acme',
      type: 'external',
      external: { inputUrl: endpoint, checkUrl: endpoint }
    }
  })
  expect(await waystation('attach', 'acme', 'order-8')).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^[^\n]+\n$/)
  })
  await json('attach', 'acme', 'order-7')
  const { sessions } = await json('sessions')
  expect(sessions).toContainEqual(expect.objectContaining({ id: 'order-7', title: 'Two crates' }))

  const send = start(url, ['send', 'order-7', 'hello'])
  const types = () => external.requests.map(({ body }) => JSON.parse(body).message?.type)
  await vi.waitFor(() => expect(types()).toContain('user'), { timeout: 20_000 })
  expect(await waystation('stop', 'order-7')).toMatchObject({ code: 0, err: '' })
  expect(await send.end).toMatchObject({ code: 1, err: expect.stringContaining('[STOPPED]') })
  await vi.waitFor(() => expect(types()).toContain('cancel'), { timeout: 20_000 })
}, 120_000)

test('a message that an external agent did not accept is sent again from the command line', async () => {
  const answers = [503, 200]
  const external = await startExternalSystem(response => {
    response.statusCode = answers.shift() ?? 200
    response.end()
  })
  const { waystation, json } = await serverWithProgram({ WAYSTATION_EGRESS_ALLOW: external.host })
  await callEndpoint(agentOperations.create, {
    body: {
      agentId: 'acme',
      displayName: 'Acme',
      type: 'external',
      external: { inputUrl: `${external.url}/in` }
    }
  })
  await json('attach', 'acme', 'order-7')
  const { code, err } = await waystation('send', 'order-7', 'hello')
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('[UNDELIVERED]') })
  const [messageId = ''] = /msg_\w+/.exec(err) ?? []
  expect(await json('resend', 'order-7', messageId)).toEqual({ messageId, state: 'pending' })
  await vi.waitFor(() => expect(external.requests).toHaveLength(2), { timeout: 20_000 })
}, 120_000)

test('an agent streams its reply to the command line, which a repeated key sends once', async () => {
  const { server, waystation, json } = await serverWithProgram()
  const { sessionId } = await json('attach', 'guide')
  const once = ['send', sessionId, 'say hello from here', '--idempotency-key', 'k']
  const first = await waystation(...once)
  expect(first).toMatchObject({ code: 0, out: expect.stringContaining('hello from here'), err: '' })
  expect(await waystation(...once)).toEqual(first)
  expect(await json('send', sessionId, 'say again', '--no-wait')).toMatchObject({ status: 'started' })
  const session = await server.reopenSession(sessionId)
  await session.waitForText('again')
  expect((await session.get()).messages.filter(({ role }) => role === 'user')).toHaveLength(2)
  expect((await waystation('send', sessionId, ' ')).err).toContain('[EMPTY_MESSAGE]')
  expect(await waystation('send', 'unknown', 'hi')).toMatchObject({
    code: 1,
    err: expect.stringContaining('[NOT_FOUND]')
  })
  expect((await waystation('sessions')).out).toContain(`${sessionId}\tidle\tguide\t`)
  expect((await json('sessions', '--search', 'no such session')).sessions).toEqual([])
}, 120_000)

test('a person approves a call from the command line with other arguments, and these are the ones that run', async () => {
  const site = await startExternalSystem()
  const { server, waystation, json } = await serverWithProgram({ WAYSTATION_EGRESS_ALLOW: site.host })
  await server.saveAgent({ chat: { tools: [{ name: 'web-fetch', approval: 'ask' }] } })
  const session = await server.startSession('test')
  const sent = await waystation('send', session.id, `use web-fetch {"url": "${site.url}/asked"}`)
  expect(sent).toMatchObject({ code: 0, err: expect.stringContaining('--approve or --decline') })
  const [call] = (await json('pending', '--session', session.id)).calls
  expect(call).toMatchObject({ sessionId: session.id, kind: 'approval', input: { url: `${site.url}/asked` } })
  expect((await waystation('pending')).out).toContain(`waystation answer ${call.toolCallId} --approve`)
  const input = JSON.stringify({ url: `${site.url}/edited` })
  expect(await json('answer', call.toolCallId, '--approve', '--input', input)).toEqual({
    toolCallId: call.toolCallId,
    sessionId: session.id,
    state: 'approved'
  })
  // The program sent the message, so the first end is the one at which the turn waited.
  await session.waitForEvent(event => event.type === 'status' && event.outcome === 'done')
  expect(site.requests.map(({ path }) => path)).toEqual(['/edited'])
}, 120_000)

test('questions are answered, declined and never answered twice, also with a session token', async () => {
  const { server, url, waystation, json } = await serverWithProgram()
  const session = await server.startSession()
  await session.runTurn(demo.askToChoose('tea', 'coffee'))
  const { toolCallId } = await session.waitForCall('ask-question')
  expect((await waystation('pending')).out).toContain('  - tea\n')
  const { token } = await createToken(server.ctx, {
    sessionId: session.id,
    subject: 'ada',
    scopes: ['read', 'send', 'answer'],
    ttlSeconds: 3600
  })
  const answer = ['answer', toolCallId, '--text', 'tea', '--session', session.id]
  expect(await start(url, answer, { WAYSTATION_API_KEY: token }).end).toMatchObject({ code: 0, err: '' })
  await session.waitForEnd()
  expect((await session.get()).calls).toMatchObject([{ output: { answer: 'tea' }, answeredBy: 'ada' }])
  expect(
    await waystation('answer', toolCallId, '--json', '{"answer":"coffee"}', '--session', session.id)
  ).toMatchObject({
    code: 1,
    err: expect.stringContaining('[ALREADY_SETTLED]')
  })
  expect(await waystation('answer', toolCallId, '--decline')).toMatchObject({
    code: 1,
    err: expect.stringContaining('[NOT_FOUND]')
  })
  await session.runTurn(demo.askToChoose('tea', 'coffee'))
  const [second] = (await json('pending')).calls
  expect(await json('answer', second.toolCallId, '--decline', '--reason', 'neither')).toMatchObject({
    state: 'declined'
  })
}, 120_000)

test('events and the transcript continue after a broken connection, and Ctrl-C ends them', async () => {
  const { server, url } = await serverWithProgram()
  const session = await server.startSession()
  await session.runTurn('say before')
  const proxy = await startCuttableProxy(url)
  const events = start(proxy.url, ['events', session.id, '--after', '0'])
  const follow = start(proxy.url, ['follow', session.id])
  await expect.poll(() => events.text().includes('before') && follow.text().includes('before')).toBe(true)
  proxy.cut()
  await session.runTurn('say after')
  await expect.poll(() => events.text().includes('after') && follow.text().includes('after')).toBe(true)
  expect(events.errors()).toContain('Reconnecting')
  for (const program of [events, follow]) {
    program.child.kill('SIGINT')
    expect((await program.end).code).toBe(0)
  }
  const seqs = events
    .text()
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).seq as number)
  expect(seqs).toEqual(seqs.map((_, index) => index + 1))
  // The first line has the title of the session.
  const transcript = follow.text().split('\n').slice(1).join('\n')
  for (const text of ['before', 'after']) expect(transcript.match(RegExp(text, 'g'))).toHaveLength(2)
}, 120_000)

test('a reader of a pipe that ends early ends the program without an error', async () => {
  const { server, url } = await serverWithProgram()
  const session = await server.startSession()
  await session.runTurn('say hello')
  const events = start(url, ['events', session.id, '--after', '0'])
  await new Promise(resolve => createInterface({ input: events.child.stdout }).once('line', resolve))
  events.child.stdout.destroy()
  await session.runTurn('say more')
  expect(await events.end).toMatchObject({ code: 0, err: '' })
}, 120_000)
