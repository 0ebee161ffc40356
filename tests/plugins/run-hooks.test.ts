import { expect, test } from 'vitest'
import { handOffSession } from '#lib/features/delegation/hand-off-session.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { pluginFolder } from '#tests/support/fakes/plugin-folder.ts'
import type { Hook } from '#tests/support/fakes/plugins/start-test-plugin.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { type ReceivedEvent, startWithPlugins } from '#tests/support/servers/server-with-plugins.ts'
import type { TestSession } from '#tests/support/servers/test-server.ts'

const continues: Hook = () => undefined

/** Gives the agent the tools of plugins with the default approval: each call asks a user. */
const withApproval = { tools: [{ plugin: '*' }] } as never

/**
 * Formats each event as its type and its turn, tool or input. Leaves out the model calls, which are inside the
 * turns.
 */
const brief = (received: readonly ReceivedEvent[]) =>
  received
    .filter(({ type }) => !type.startsWith('LLM_'))
    .map(({ type, payload }) => {
      const { turn_number, tool_name, input, to_agent } = payload as Record<string, unknown>
      return `${type} ${turn_number ?? tool_name ?? to_agent ?? input}`
    })

const answerCall = async (session: TestSession, tool: string, approved: boolean) =>
  session.answer(await session.waitForCall(tool), { approved })

/** Waits for the last event of a run, whose response is not awaited. */
const runEnds = (received: readonly ReceivedEvent[], runs = 1) =>
  expect.poll(() => received.filter(({ type }) => type === 'AGENT_END').length).toBe(runs)

test('22 B3: a run that parks for approvals stays one run: turn numbers continue, and each result is inside its turn', async () => {
  const { session, received, sql, startSecondServer } = await startWithPlugins(
    { guard: { hook: continues } },
    [
      replyCalls({ name: 'tally', input: { text: 'a b' } }),
      replyCalls({ name: 'echo', input: { text: 'hi' } }, { name: 'tally', input: { text: 'c' } }),
      replyText('Done.')
    ],
    { WAYSTATION_ROLE: 'web' },
    withApproval
  )
  const first = await startSecondServer({ WAYSTATION_ROLE: 'all' })
  expect(await session.runTurn('Go.')).toMatchObject({ outcome: 'parked' })
  expect(received.filter(({ type }) => type.endsWith('_END'))).toEqual([])
  await answerCall(session, 'tally', true)
  await session.waitForCall('echo')
  // Another process continues the run.
  await first.server.stop()
  await startSecondServer({ WAYSTATION_ROLE: 'all' })
  await answerCall(session, 'echo', false)
  await answerCall(session, 'tally', true)
  // Not `ends()`: on a busy machine, the turn can park after its calls were answered.
  await session.waitForEvent(event => event.type === 'status' && event.outcome === 'done')
  await runEnds(received)
  expect(brief(received)).toEqual([
    ...['AGENT_START Go.', 'TURN_START 1', 'TOOL_CALL tally', 'TOOL_RESULT tally', 'TURN_END 1'],
    ...['TURN_START 2', 'TOOL_CALL echo', 'TOOL_CALL tally', 'TOOL_RESULT tally', 'TOOL_RESULT echo'],
    ...['TURN_END 2', 'TURN_START 3', 'TURN_END 3', 'AGENT_END Go.']
  ])
  expect(
    received.find(
      ({ type, payload }) => type === 'TOOL_RESULT' && (payload as { is_error: boolean }).is_error
    )
  ).toMatchObject({
    payload: { tool_name: 'echo', is_error: true }
  })
  await expectValidSessions(sql)
})

const pickFile = { name: 'pick-file', description: 'Picks a file.', inputSchema: { type: 'object' } } as const
const order = {
  name: 'order',
  description: 'Orders.',
  where: 'external',
  url: 'http://127.0.0.1:1/orders',
  inputSchema: { type: 'object' },
  deadlineSeconds: 60
} as const

test('22 B3: each kind of call has a TOOL_CALL and a TOOL_RESULT, and the model receives the result that a plugin returns', async () => {
  const { session, received, model, sql, advanceTime } = await startWithPlugins(
    {
      guard: {
        hook({ type, payload }) {
          if (type !== 'TOOL_RESULT') return undefined
          if (payload.tool_name === 'ask-question') return 'cancel'
          if (payload.tool_name === 'pick-file') return { ...payload, result_json: '{"name":"[secret].csv"}' }
          return undefined
        }
      }
    },
    [
      replyCalls(
        { name: 'pick-file', input: {} },
        { name: 'ask-question', input: { question: 'Which salary?' } },
        { name: 'order', input: {} },
        { name: 'tally', input: { text: 'a' } },
        { name: 'no-such-tool', input: {} },
        { name: 'spawn-agent', input: { task: 'Count birds.', agentId: 'billing' } }
      ),
      replyText('Nine birds.'),
      replyText('Thanks.')
    ],
    {},
    {
      tools: [{ plugin: '*' }, { name: 'ask-question' }, { name: 'spawn-agent', agents: ['billing'] }, order]
    } as never
  )
  await session.send('Go.', { clientTools: [pickFile] })
  const [file, question] = [await session.waitForCall('pick-file'), await session.waitForCall('ask-question')]
  await session.answer(file, { output: { name: 'salaries.csv' } })
  await session.answer(question, { output: { answer: 'Mine is 1234.' } })
  await answerCall(session, 'tally', false)
  await session.waitForEvent(
    event => event.type === 'call' && event.call.toolName === 'spawn-agent' && event.call.state === 'answered'
  )
  const ended = session.waitForEnd()
  await advanceTime(120)
  expect(await ended).toMatchObject({ outcome: 'done' })
  const triageEvents = () => received.filter(({ agentName }) => agentName === 'triage')
  await expect.poll(() => triageEvents().at(-1)?.type).toBe('AGENT_END')
  const tools = ['pick-file', 'ask-question', 'order', 'tally', 'spawn-agent']
  const events = brief(triageEvents())
  expect(events.slice(0, 7)).toEqual([
    'AGENT_START Go.',
    'TURN_START 1',
    ...tools.map(name => `TOOL_CALL ${name}`)
  ])
  expect(events.slice(7, 12).toSorted()).toEqual(tools.map(name => `TOOL_RESULT ${name}`).toSorted())
  expect(events.slice(12)).toEqual(['TURN_END 1', 'TURN_START 2', 'TURN_END 2', 'AGENT_END Go.'])
  const prompt = JSON.stringify(model.requests.at(-1)?.body.messages)
  expect(prompt).toContain('[secret].csv')
  expect(prompt).toContain('TOOL_RESULT')
  expect(prompt).not.toMatch(/salaries\.csv|1234/)
  // Users see the original answers.
  expect(JSON.stringify((await session.get()).calls)).toMatch(/salaries\.csv.*1234/)
  await expectValidSessions(sql)
})

test('22 B3: a message ends the parked run, and a later answer is inside a run of its own', async () => {
  const { session, received, sql } = await startWithPlugins(
    {
      guard: {
        hook: ({ type, payload }) =>
          type === 'TOOL_RESULT' ? { ...payload, result_json: '"changed"' } : undefined
      }
    },
    [
      replyCalls({ name: 'tally', input: { text: 'a' } }, { name: 'pick-file', input: {} }),
      replyText('Later, then.'),
      replyText('It is a.'),
      replyText('And a.csv.')
    ],
    {},
    withApproval
  )
  await session.runTurn('Go.', { clientTools: [pickFile] })
  expect(await session.runTurn('And now?', { clientTools: [pickFile] })).toMatchObject({ outcome: 'done' })
  const first = session.waitForEnd()
  await answerCall(session, 'tally', true)
  await first
  const last = session.waitForEnd()
  await session.answer(await session.waitForCall('pick-file'), { output: { name: 'a.csv' } })
  await last
  await runEnds(received, 4)
  expect(brief(received)).toEqual([
    ...[
      'AGENT_START Go.',
      'TURN_START 1',
      'TOOL_CALL tally',
      'TOOL_CALL pick-file',
      'TURN_END 1',
      'AGENT_END Go.'
    ],
    ...['AGENT_START And now?', 'TURN_START 1', 'TURN_END 1', 'AGENT_END And now?'],
    ...['AGENT_START ', 'TURN_START 1', 'TOOL_RESULT tally', 'TURN_END 1', 'AGENT_END '],
    ...['AGENT_START ', 'TURN_START 1', 'TOOL_RESULT pick-file', 'TURN_END 1', 'AGENT_END ']
  ])
  await expectValidSessions(sql)
})

test('22 B3: a handoff by a plugin or a user is reported, its reason can be changed, and CANCEL prevents it', async () => {
  let cancels = true
  const { session, received, ctx, sql } = await startWithPlugins(
    {
      guard: {
        hook: ({ type, payload }) =>
          type !== 'HANDOFF' ? undefined : cancels ? 'cancel' : { ...payload, context: 'Because.' }
      }
    },
    [replyText('To billing.'), replyText('To billing.'), replyText('Done.')],
    {
      WAYSTATION_PLUGINS: await pluginFolder({
        'router.mjs': `export default { name: 'router', hooks: () => ({
          afterModel: ({ text }, { actions }) => { if (text.startsWith('To ')) actions.yieldNextRoundTo = 'agent:billing' }
        }) }`
      })
    },
    { plugins: [{ name: 'router' }] } as never
  )
  const speaker = async () => (await session.get()).session.speaker?.agentId
  await session.runTurn('Is it paid?')
  const handOffTo = (agentId: string) =>
    handOffSession(ctx, { sessionId: session.id, agentId, reason: 'Mine.' })
  await expect(handOffTo('billing')).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await speaker()).toBeUndefined()
  cancels = false
  await session.runTurn('Is it paid now?')
  expect(await speaker()).toBe('billing')
  await handOffTo('triage')
  expect(await speaker()).toBeUndefined()
  const [stored] = await sql`select handed from sessions where key = ${session.key}`
  expect(stored?.handed).toMatchObject({ reason: 'Because.', by: { kind: 'person' } })
  expect(received.filter(({ type }) => type === 'HANDOFF').map(({ payload }) => payload)).toEqual([
    { from_agent: 'triage', to_agent: 'billing', context: '' },
    { from_agent: 'triage', to_agent: 'billing', context: 'Mine.' },
    { from_agent: 'triage', to_agent: 'billing', context: '' },
    { from_agent: 'billing', to_agent: 'triage', context: 'Mine.' }
  ])
})
