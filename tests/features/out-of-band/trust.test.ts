import { fullTrust, type OobTrust } from '@waystation/protocol/out-of-band/oob-trust.ts'
import { OobPriority, type OobSource, SendOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { expect, test } from 'vitest'
import { members, users } from '#db/schema/workspaces.ts'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { listKeys } from '#lib/auth/keys/list-keys.ts'
import { createToken } from '#lib/auth/tokens/create-token.ts'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { keyOperations } from '#lib/http/operations/keys.ts'
import { outOfBandOperations } from '#lib/http/operations/out-of-band.ts'
import type { SubjectScope } from '#lib/kernel/ctx.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { by } from '#tests/support/servers/actors.ts'
import { callEndpoint, requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { signInCookie } from '#tests/support/servers/sign-in-cookie.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const upToHigh: OobPriority[] = ['low', 'normal', 'high']
const everyPriority = OobPriority.options
const claims = [undefined, 'user', 'agent', 'system', 'external'] as const
const ofPeople = [undefined, 'user'] as const
const ofPrograms = [undefined, 'agent', 'system', 'external'] as const

/**
 * The sources and priorities that each credential can send, and the priorities that pass a policy with the mode
 * `approve`. The source `undefined` is a message that names none.
 */
const credentials: {
  name: string
  sources: readonly (OobSource | undefined)[]
  priorities: readonly OobPriority[]
  approved: readonly OobPriority[]
}[] = [
  { name: 'a new key', sources: [undefined, 'external'], priorities: upToHigh, approved: [] },
  {
    name: 'a key for critical messages',
    sources: [undefined, 'agent', 'system'],
    priorities: everyPriority,
    approved: ['critical']
  },
  { name: 'a key for low messages', sources: ofPrograms, priorities: ['low'], approved: [] },
  { name: 'a key without sources', sources: [], priorities: everyPriority, approved: [] },
  {
    name: 'a key from before there were limits',
    sources: ofPrograms,
    priorities: everyPriority,
    approved: ['critical']
  },
  {
    name: 'the key of the environment',
    sources: ofPrograms,
    priorities: everyPriority,
    approved: ['critical']
  },
  { name: 'a session token', sources: ofPeople, priorities: upToHigh, approved: upToHigh },
  {
    name: 'a session token that can answer',
    sources: ofPeople,
    priorities: everyPriority,
    approved: everyPriority
  },
  { name: 'a member', sources: ofPeople, priorities: everyPriority, approved: everyPriority }
]

async function startWithCredentials() {
  // Nothing takes the messages, so that all of them wait in the session.
  const server = await startTestServer({
    settings: { WAYSTATION_ROLE: 'web', WAYSTATION_LIMIT_OUT_OF_BAND: '10000' }
  })
  const { ctx, sql } = server
  await sql`update workspaces set out_of_band = '{"mode": "approve", "pending": {"visible": 500, "urgent": 500, "held": 500}}'`
  const { id: sessionId } = await server.startSession()
  await ctx.db.insert(users).values({ id: 'olga', name: 'Olga' })
  await ctx.db.insert(members).values({ workspaceId: 'default', userId: 'olga', role: 'operator' })
  const keyOf = async (outOfBand?: OobTrust) =>
    (await createKey(ctx, { name: 'Robot', role: 'operator', outOfBand })).secret
  const tokenOf = async (scopes: SubjectScope[]) =>
    (await createToken(ctx, { sessionId, subject: 'ada', scopes, ttlSeconds: 600 })).token
  const oldKey = await keyOf()
  await sql`update api_keys set out_of_band = null`
  const secrets: Record<string, string> = {
    'a new key': await keyOf(),
    'a key for critical messages': await keyOf({ maxPriority: 'critical', sources: ['system', 'agent'] }),
    'a key for low messages': await keyOf({ ...fullTrust, maxPriority: 'low' }),
    'a key without sources': await keyOf({ maxPriority: 'critical', sources: [] }),
    'a key from before there were limits': oldKey,
    'the key of the environment': 'the-admin-key-of-every-test',
    'a session token': await tokenOf(['read', 'send']),
    'a session token that can answer': await tokenOf(['send', 'answer'])
  }
  const cookie = await signInCookie({ sql, env: server.env }, 'olga')
  const headersOf = (name: string): Record<string, string> =>
    secrets[name] === undefined
      ? { cookie, origin: 'http://localhost:3000' }
      : { authorization: `Bearer ${secrets[name]}` }
  const send = async (name: string, body: object) => {
    const response = await requestEndpoint(outOfBandOperations.send, {
      params: { sessionId },
      body: { content: 'News.', ...body },
      headers: headersOf(name)
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return { ...server, sessionId, send }
}

test('004-14: the credential decides which sources and priorities a sender can claim, and which pass an approval; nothing else is stored', async () => {
  const { sql, send } = await startWithCredentials()
  let accepted = 0
  const attempts = claims.flatMap(source => everyPriority.map(priority => ({ source, priority })))
  for (const { name, sources, priorities, approved } of credentials) {
    const responses = await Promise.all(
      attempts.map(({ source, priority }) => send(name, { priority, ...(source && { source }) }))
    )
    for (const [n, { source, priority }] of attempts.entries()) {
      const claim = `${name}, ${source ?? 'no source'}, ${priority}`
      if (sources.includes(source) && priorities.includes(priority)) {
        accepted += 1
        const status = approved.includes(priority) ? 'visible' : 'held'
        expect(responses[n], claim).toMatchObject({ status: 202, body: { status } })
      } else {
        const field = sources.includes(source) ? 'priority' : 'source'
        expect(responses[n], claim).toMatchObject({
          status: 403,
          body: { code: 'FORBIDDEN', fields: { [field]: expect.any(String) } }
        })
      }
    }
  }
  const [stored] = await sql<{ all: number; byPrograms: number }[]>`
    select count(*)::int as "all", (count(*) filter (
      where source = 'user' and sender ->> 'id' !~ '^(person|subject):'))::int as by_programs from out_of_band`
  expect(stored).toEqual({ all: accepted, byPrograms: 0 })
})

test('004-14: a key sends only what an owner gave it, lists show it, and wrong limits store no key', async () => {
  const { ctx } = await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
  const create = (outOfBand: unknown) =>
    callEndpoint(keyOperations.create, { body: { name: 'Robot', role: 'operator', outOfBand } })
  for (const outOfBand of [
    { sources: ['user'] },
    { sources: ['external', 'external'] },
    { maxPriority: 'urgent' },
    { minPriority: 'low' }
  ])
    expect(await create(outOfBand)).toMatchObject({ status: 422, body: { code: 'INVALID_INPUT' } })
  expect((await listKeys(ctx, {})).keys).toEqual([])
  await create({ maxPriority: 'low' })
  await create({ sources: ['agent'] })
  await create(undefined)
  expect((await listKeys(ctx, {})).keys.map(({ outOfBand }) => outOfBand)).toEqual([
    { maxPriority: 'high', sources: ['external'] },
    { maxPriority: 'high', sources: ['agent'] },
    { maxPriority: 'low', sources: ['external'] }
  ])
})

test('004-14: in mode approve, an agent’s critical message is held, and neither an agent nor a key without limits bypasses the approval', async () => {
  const server = await startTestServer({
    script: ({ body }) =>
      body.messages.at(-1)?.role === 'tool'
        ? replyText('Sent.')
        : replyCalls({
            name: 'send_out_of_band',
            input: { sessionId: target, content: 'Now.', priority: 'critical' }
          })
  })
  await server.saveAgent({ chat: { tools: [{ name: 'send_out_of_band' }] } })
  const { id: target } = await server.startSession('test')
  await server.sql`update workspaces set out_of_band = '{"mode": "approve"}'`
  const sender = await server.startSession('test')
  await sender.runTurn('go')
  expect((await server.reopenSession(target).then(session => session.get())).outOfBand).toMatchObject([
    { source: 'agent', priority: 'critical', status: 'held' }
  ])
  const send = (extra: Partial<SendOob>) =>
    sendOutOfBand(
      by(server.ctx, { kind: 'key', keyId: 'k', name: 'K', role: 'owner', workspaceId: 'default' }),
      SendOob.parse({ sessionId: target, content: 'Now.', ...extra })
    )
  expect((await send({ priority: 'high' })).status).toBe('held')
  await expect(send({ priority: 'critical' })).rejects.toMatchObject({ code: 'FORBIDDEN' })
})
