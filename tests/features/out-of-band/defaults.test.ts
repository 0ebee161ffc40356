import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { builtInPolicy } from '@waystation/protocol/out-of-band/effective-policy.ts'
import { type OwnOobPolicy, SendOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { expect, test } from 'vitest'
import { updateAgent } from '#lib/agents/update.ts'
import { getWorkspace } from '#lib/auth/workspaces/get-workspace.ts'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { outOfBandOperations } from '#lib/http/operations/out-of-band.ts'
import { workspaceOperations } from '#lib/http/operations/workspace.ts'
import { getSession } from '#lib/sessions/get-session.ts'
import { replyText } from '#tests/support/fakes/openai-replies.ts'
import type { ModelScript } from '#tests/support/fakes/openai-server.ts'
import { by, person } from '#tests/support/servers/actors.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

async function sessionWithDefaults(script: ModelScript = []) {
  const settings = { WAYSTATION_LIMIT_OUT_OF_BAND: '1000' }
  const server = await startTestServer({ script, settings })
  await server.saveAgent({})
  const session = await server.startSession('test')
  const params = { sessionId: session.id }
  const setWorkspace = (outOfBand: unknown) =>
    callEndpoint(workspaceOperations.update, { body: { outOfBand } })
  const setAgent = (outOfBand: unknown) =>
    updateAgent(server.ctx, AgentConfig.parse({ agentId: 'test', displayName: 'Test', outOfBand }))
  const setSession = async (body: OwnOobPolicy) =>
    (await callEndpoint(outOfBandOperations.setPolicy, { params, body })).body
  const policy = async () => (await callEndpoint(outOfBandOperations.getPolicy, { params })).body
  const sendOob = (extra: Partial<SendOob> = {}, ctx = server.ctx) =>
    sendOutOfBand(ctx, SendOob.parse({ sessionId: session.id, content: 'News.', ...extra }))
  return { ...server, session, params, setWorkspace, setAgent, setSession, policy, report: sendOob }
}

test('004-14: each value of the policy is the session’s, or else the agent’s, the workspace’s, or the built-in one; omitting it inherits again', async () => {
  const { ctx, session, setWorkspace, setAgent, setSession, policy, report } = await sessionWithDefaults()
  expect(await policy()).toEqual(builtInPolicy)
  const muted = [{ source: 'external', sourceId: 'watcher' }] as const
  await setWorkspace({ mode: 'off', minPriority: 'normal', muted })
  expect(await policy()).toMatchObject({
    mode: 'off',
    minPriority: 'normal',
    muted,
    from: { mode: 'workspace', minPriority: 'workspace', muted: 'workspace' }
  })
  await expect(report({ priority: 'high' })).rejects.toMatchObject({ code: 'FORBIDDEN' })

  await setAgent({ mode: 'approve' })
  expect(await policy()).toMatchObject({ mode: 'approve', from: { mode: 'agent', muted: 'workspace' } })
  expect((await report({ priority: 'high' })).status).toBe('held')
  await expect(report({ sourceId: 'watcher' })).rejects.toMatchObject({ code: 'FORBIDDEN' })

  const own = await setSession({ mode: 'on', muted: [] })
  expect(own).toMatchObject({
    mode: 'on',
    minPriority: 'normal',
    muted: [],
    from: { mode: 'session', minPriority: 'workspace', muted: 'session' },
    inherited: { mode: 'approve', minPriority: 'normal', muted, from: { mode: 'agent' } }
  })
  expect(await policy()).toEqual(own)
  expect((await getSession(ctx, { sessionId: session.id })).oobPolicy).toEqual(own)
  await session.waitForEvent(event => event.type === 'session' && event.oobPolicy?.from?.mode === 'session')
  expect((await report({ sourceId: 'watcher' })).status).toBe('visible')
  await expect(report({ priority: 'low' })).rejects.toMatchObject({ code: 'FORBIDDEN' })

  expect(await setSession({})).toMatchObject({ mode: 'approve', from: { mode: 'agent' } })
  await setAgent(undefined)
  await setWorkspace({})
  expect(await policy()).toEqual(builtInPolicy)
})

test('004-17: a misspelled field of a policy is rejected, so it does not lift the restrictions', async () => {
  const { setSession, policy } = await sessionWithDefaults()
  const own = await setSession({ mode: 'off' })
  expect(await setSession({ mod: 'approve' } as OwnOobPolicy)).toMatchObject({
    code: 'INVALID_INPUT',
    fields: { mod: expect.anything() }
  })
  expect(await policy()).toEqual(own)
})

test('a policy that an earlier version stored keeps all of its values', async () => {
  const { sql, session, setWorkspace, policy } = await sessionWithDefaults()
  const stored = { mode: 'on', minPriority: 'low', muted: [] }
  await sql`update sessions set oob_policy = ${stored}::jsonb where key = ${session.key}`
  await setWorkspace({ mode: 'off', minPriority: 'high', muted: [{ source: 'agent' }] })
  expect(await policy()).toMatchObject({
    ...stored,
    from: { mode: 'session', minPriority: 'session', muted: 'session' },
    inherited: { mode: 'off' }
  })
})

test('after a handoff, the defaults are those of the agent that speaks', async () => {
  const { sql, saveAgent, session, policy } = await sessionWithDefaults()
  await saveAgent({ agentId: 'billing', displayName: 'Billing', outOfBand: { mode: 'off' } })
  await sql`update sessions set handed_to = 'billing' where key = ${session.key}`
  expect(await policy()).toMatchObject({ mode: 'off', from: { mode: 'agent' } })
})

test('004-14: the workspace sets how many messages can be pending, and refuses values out of bounds', async () => {
  const { ctx, setWorkspace, setSession, report } = await sessionWithDefaults()
  await setWorkspace({ pending: { visible: 2, urgent: 3, held: 1 } })
  const tooMany = { code: 'RATE_LIMITED' }
  for (let n = 0; n < 2; n++) await report({ priority: 'low' })
  await expect(report({ priority: 'high' })).rejects.toMatchObject(tooMany)
  const ada = by(ctx, person('ada'))
  expect((await report({}, ada)).status).toBe('visible')
  await expect(report({}, ada)).rejects.toMatchObject(tooMany)
  await setSession({ mode: 'approve' })
  expect((await report()).status).toBe('held')
  await expect(report()).rejects.toMatchObject(tooMany)

  const saved = (await getWorkspace(ctx, {})).outOfBand
  for (const [outOfBand, field] of [
    [{ pending: { visible: 0 } }, 'outOfBand.pending.visible'],
    [{ pending: { held: 501 } }, 'outOfBand.pending.held'],
    [{ pending: { visible: 71 } }, 'outOfBand.pending.urgent'],
    [{ prompt: { characters: 19 } }, 'outOfBand.prompt.characters'],
    [{ prompt: { full: 40 } }, 'outOfBand.prompt.maxFull'],
    [{ prompt: { full: 2.5 } }, 'outOfBand.prompt.full'],
    [{ mode: 'ask' }, 'outOfBand.mode'],
    [{ muted: [{ source: 'ci' }] }, 'outOfBand.muted.0.source']
  ] as const)
    expect(await setWorkspace(outOfBand)).toMatchObject({
      status: 422,
      body: { code: 'INVALID_INPUT', fields: { [field]: expect.any(String) } }
    })
  expect((await getWorkspace(ctx, {})).outOfBand).toEqual(saved)
})

test('004-14: the workspace sets how many messages stay in full in the prompt, and how long the others are', async () => {
  const rounds = 4
  const { sql, model, session, setWorkspace, report } = await sessionWithDefaults(
    [...Array(rounds)].map((_, n) => replyText(`Answer ${n}.`))
  )
  await setWorkspace({ prompt: { full: 1, maxFull: 3, characters: 30 } })
  for (let round = 0; round < rounds; round++) {
    await report({ content: `News ${round}. ${'More of it. '.repeat(20)}The end of news ${round}.` })
    await session.runTurn(`Message ${round}`)
  }
  const prompts = model.requests.map(({ body }) => body.messages.map(message => JSON.stringify(message)))
  for (const k of [1, 2]) expect(prompts[k]?.slice(0, prompts[k - 1]?.length)).toEqual(prompts[k - 1])
  const last = prompts.at(-1)?.join('\n') ?? ''
  expect([0, 1, 2, 3].filter(n => last.includes(`The end of news ${n}.`))).toEqual([3])
  expect(last.match(/News 0\. [^…]*…/)?.[0]).toHaveLength(31)
  await expectValidSessions(sql)
})
