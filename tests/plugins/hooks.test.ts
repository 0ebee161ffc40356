import type { HookRun } from '@waystation/protocol/plugin/hook.ts'
import { expect, onTestFinished, test } from 'vitest'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import type { Hook } from '#tests/support/fakes/plugins/start-test-plugin.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { holdTimeouts } from '#tests/support/servers/hold-timeouts.ts'
import { startWithPlugins } from '#tests/support/servers/server-with-plugins.ts'
import { startTestServer, type TestSession } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

const runs = async (session: TestSession): Promise<Partial<HookRun>[]> =>
  (await session.get()).messages.flatMap(({ parts }) =>
    parts.flatMap(part => (part.type === 'data-hook' ? [part.data] : []))
  )

/** Returns the n-th prompt of the model. */
const promptOf = (model: { requests: { body: { messages: object[] } }[] }, n = 0) =>
  JSON.stringify(model.requests[n]?.body.messages)

const continues: Hook = () => undefined

test('003-15, 003-16: a plugin receives all nine events of a run, in order and with their payloads', async () => {
  const { session, received } = await startWithPlugins({ guard: { hook: continues } }, [
    replyCalls({ name: 'tally', input: { text: 'a b' } }),
    replyCalls({ name: 'handoff_to_billing', input: { reason: 'An invoice.' } }),
    replyText('Hello.')
  ])
  await session.runTurn('Go.')
  await expect.poll(() => received.at(-1)?.type).toBe('AGENT_END')
  expect(received.map(({ type, agentName }) => `${type} ${agentName}`)).toEqual([
    'AGENT_START triage',
    'TURN_START triage',
    'LLM_REQUEST triage',
    'LLM_RESPONSE triage',
    'TOOL_CALL triage',
    'TOOL_RESULT triage',
    'TURN_END triage',
    'TURN_START triage',
    'LLM_REQUEST triage',
    'LLM_RESPONSE triage',
    'TOOL_CALL triage',
    'HANDOFF triage',
    'TOOL_RESULT triage',
    'TURN_END triage',
    'TURN_START billing',
    'LLM_REQUEST billing',
    'LLM_RESPONSE billing',
    'TURN_END billing',
    'AGENT_END billing'
  ])
  const payloadOf = (type: string, n = 0) => received.filter(event => event.type === type)[n]?.payload
  expect(payloadOf('AGENT_START')).toEqual({ agent_name: 'triage', input: 'Go.' })
  expect(payloadOf('TURN_START', 1)).toEqual({ agent_name: 'triage', turn_number: 2 })
  expect(payloadOf('LLM_REQUEST', 1)).toMatchObject({
    model: expect.stringMatching(/^openai\//),
    messages: [
      { role: 'system', content: expect.stringContaining('You are triage.') },
      { role: 'user', content: expect.stringContaining('Go.') },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: expect.any(String), name: 'tally', arguments_json: '{"text":"a b"}' }]
      },
      { role: 'user', content: '{"text":"a b"}', tool_call_id: expect.any(String) }
    ],
    tools: expect.arrayContaining(
      ['echo', 'tally', 'handoff_to_billing'].map(name => expect.objectContaining({ name }))
    )
  })
  expect(payloadOf('LLM_RESPONSE')).toEqual({
    content: '',
    tool_calls: [{ id: expect.any(String), name: 'tally', arguments_json: '{"text":"a b"}' }],
    finish_reason: 'tool-calls'
  })
  expect(payloadOf('TOOL_CALL')).toEqual({ tool_name: 'tally', arguments_json: '{"text":"a b"}' })
  expect(payloadOf('TOOL_RESULT')).toEqual({
    tool_name: 'tally',
    result_json: '{"text":"a b"}',
    is_error: false
  })
  expect(payloadOf('HANDOFF')).toEqual({ from_agent: 'triage', to_agent: 'billing', context: 'An invoice.' })
  expect(payloadOf('AGENT_END')).toEqual({ agent_name: 'billing', input: 'Go.' })
})

test('003-15: MODIFY replaces the input, the prompt, the model response, a call, its result or the reason of a handoff', async () => {
  const { session, model, sql } = await startWithPlugins(
    {
      guard: {
        hook({ type, payload }) {
          if (type === 'AGENT_START') return { ...payload, input: 'Say [secret].' }
          if (type === 'LLM_REQUEST') {
            const [system, ...rest] = payload.messages
            const tools = payload.tools.filter(({ name }: { name: string }) => name !== 'echo')
            return {
              ...payload,
              tools,
              messages: [{ ...system, content: `${system.content} Be polite.` }, ...rest]
            }
          }
          if (type === 'LLM_RESPONSE' && payload.content !== '') return { ...payload, content: 'Changed.' }
          if (type === 'TOOL_CALL' && payload.tool_name === 'tally')
            return { ...payload, arguments_json: '{"text":"one two three"}' }
          if (type === 'TOOL_RESULT' && payload.tool_name === 'tally')
            return { ...payload, result_json: '{"words":42}' }
          if (type === 'HANDOFF') return { ...payload, context: 'Another reason.' }
          return undefined
        }
      }
    },
    [
      replyCalls({ name: 'tally', input: { text: 'a' } }),
      replyCalls({ name: 'handoff_to_billing', input: { reason: 'An invoice.' } }),
      replyText('As it was.')
    ]
  )
  await session.runTurn('Say 1234.')
  expect(promptOf(model)).not.toContain('1234')
  expect(promptOf(model)).toContain('Say [secret].')
  expect(promptOf(model)).toContain('Be polite.')
  expect(JSON.stringify(model.requests[0]?.body)).not.toContain('"echo"')
  expect(promptOf(model, 1)).toContain('one two three')
  expect(promptOf(model, 1)).toContain('42')
  expect(promptOf(model, 1)).toContain('[secret]')
  expect(promptOf(model, 2)).toContain('Another reason.')
  const shown = JSON.stringify((await session.get()).messages)
  expect(shown).toContain('Say 1234.')
  expect(shown).toContain('Changed.')
  expect(shown).not.toContain('As it was.')
  await expectValidSessions(sql)
})

test('003-15: CANCEL of AGENT_START, TURN_START, LLM_REQUEST or LLM_RESPONSE ends the turn with a notice, and the next turn runs', async () => {
  let cancelled = ''
  const guard: Hook = ({ type }) => (type === cancelled ? 'cancel' : undefined)
  const { session, model } = await startWithPlugins({ guard: { hook: guard } }, [
    replyText('Dropped.'),
    replyText('Hello.')
  ])
  for (const type of ['AGENT_START', 'TURN_START', 'LLM_REQUEST', 'LLM_RESPONSE']) {
    cancelled = type
    await session.runTurn(`Not at ${type}.`)
    const { error } = await session.get()
    expect(error).toMatchObject({
      code: 'STOPPED_BY_PLUGIN',
      message: expect.stringMatching(new RegExp(`"guard".*${type}`))
    })
  }
  expect(model.requests).toHaveLength(1)
  cancelled = ''
  await session.runTurn('And now?')
  const shown = JSON.stringify((await session.get()).messages)
  expect(shown).toContain('Hello.')
  expect(shown).not.toContain('Dropped.')
})

test('003-15: CANCEL of a call, a result or a handoff is a result for the model, which continues', async () => {
  const { session, model, received } = await startWithPlugins(
    {
      guard: {
        hook({ type, payload }) {
          if (type === 'TOOL_CALL') return payload.tool_name === 'echo' ? 'cancel' : undefined
          return type === 'TOOL_RESULT' || type === 'HANDOFF' || type.endsWith('_END') ? 'cancel' : undefined
        }
      }
    },
    [
      replyCalls({ name: 'echo', input: { text: 'hi' } }),
      replyCalls({ name: 'tally', input: { text: 'a b c' } }),
      replyCalls({ name: 'handoff_to_billing', input: {} }),
      replyText('I stay.')
    ]
  )
  await session.runTurn('Go.')
  expect(promptOf(model, 1)).toContain('TOOL_CALL')
  expect(promptOf(model, 2)).toContain('TOOL_RESULT')
  expect(promptOf(model, 3)).toContain('HANDOFF')
  await expect.poll(() => received.at(-1)).toMatchObject({ type: 'AGENT_END', agentName: 'triage' })
  expect(await session.get()).toMatchObject({ status: 'idle' })
})

test('003-15: hooks run in the order of the file, each on the output of the previous one', async () => {
  const appends =
    (word: string): Hook =>
    ({ payload }) => ({ ...payload, content: `${payload.content} ${word}` })
  const { session } = await startWithPlugins(
    {
      zebra: { hook: appends('one'), events: 'LLM_RESPONSE' },
      ant: { hook: appends('two'), events: 'LLM_RESPONSE' }
    },
    [replyText('Zero')]
  )
  await session.runTurn('Count.')
  expect(JSON.stringify((await session.get()).messages)).toContain('Zero one two')
  expect(await runs(session)).toMatchObject([
    { plugin: 'zebra', point: 'afterModel', outcome: 'changed', ms: expect.any(Number) },
    { plugin: 'ant', point: 'afterModel', outcome: 'changed', ms: expect.any(Number) }
  ])
})

const nonsense: [
  what: string,
  hook: (event: { type: string; payload: Record<string, unknown> }) => unknown
][] = [
  ['invalid JSON', ({ type }) => (type === 'TOOL_CALL' ? '{broken' : undefined)],
  ['an invalid structure', ({ type }) => (type === 'TOOL_CALL' ? { tool: 1 } : undefined)],
  [
    'arguments that are not JSON',
    ({ type, payload }) => (type === 'TOOL_CALL' ? { ...payload, arguments_json: '{' } : undefined)
  ],
  [
    'a result without its call',
    ({ type, payload }) =>
      type === 'LLM_REQUEST'
        ? { ...payload, messages: [{ role: 'user', content: 'x', tool_call_id: 'nobody' }] }
        : undefined
  ],
  [
    'a tool that the agent does not have',
    ({ type, payload }) =>
      type === 'LLM_REQUEST'
        ? { ...payload, tools: [{ name: 'rm-rf', description: '', parameters_json_schema: '{}' }] }
        : undefined
  ],
  [
    'a call whose arguments are not JSON',
    ({ type, payload }) =>
      type === 'LLM_RESPONSE'
        ? { ...payload, tool_calls: [{ id: 'x', name: 'echo', arguments_json: '{' }] }
        : undefined
  ],
  [
    'another number of the step',
    ({ type, payload }) => (type === 'TURN_START' ? { ...payload, turn_number: 7 } : undefined)
  ]
]

test.each(nonsense)('003-15: a MODIFY with %s is treated as CONTINUE, and is shown', async (_what, hook) => {
  const { session } = await startWithPlugins({ guard: { hook } }, [
    replyCalls({ name: 'tally', input: { text: 'a b' } }),
    replyText('Two.')
  ])
  await session.runTurn('Go.')
  expect(JSON.stringify((await session.get()).messages)).toContain('Two.')
  expect((await runs(session))[0]).toMatchObject({
    plugin: 'guard',
    outcome: 'failed',
    words: expect.any(String)
  })
})

test('003-15: if a plugin is down or hangs, the turn continues, but with fail_closed it stops', async () => {
  const clock = holdTimeouts()
  const disconnected = await startWithPlugins({ guard: { hook: continues } }, [replyText('On.')])
  await disconnected.plugins[0]?.stop()
  await disconnected.session.runTurn('Go.')
  expect(JSON.stringify((await disconnected.session.get()).messages)).toContain('On.')
  // Only once per step: a disconnected plugin is not called again.
  expect(await runs(disconnected.session)).toMatchObject([{ plugin: 'guard', outcome: 'failed' }])

  const { promise, resolve } = Promise.withResolvers<void>()
  onTestFinished(() => resolve())
  const hanging = await startWithPlugins({ guard: { hook: () => promise, events: 'TOOL_CALL' } }, [
    replyCalls({ name: 'tally', input: { text: 'a b' } }),
    replyText('Two.')
  ])
  await hanging.session.send('Go.')
  await expect.poll(() => hanging.received).toHaveLength(1)
  clock.advance(5_000)
  await hanging.session.waitForEnd()
  expect(JSON.stringify((await hanging.session.get()).messages)).toContain('Two.')

  const failClosed = await startWithPlugins({ guard: { hook: continues, failClosed: true } }, [
    replyText('Never.')
  ])
  await failClosed.plugins[0]?.stop()
  await failClosed.session.runTurn('Go.')
  expect(failClosed.model.requests).toEqual([])
  expect(await failClosed.session.get()).toMatchObject({ error: { code: 'STOPPED_BY_PLUGIN' } })
})

test('003-15: a plugin with fail_closed that never started is not skipped', async () => {
  const folder = workspaceFolder(`
      plugin "guard" {
        source      = "remote://127.0.0.1:1"
        fail_closed = true
      }
      agent "triage" { instructions = "You are triage." }
  `)
  const server = await startTestServer({
    script: [replyText('Never.')],
    settings: { WAYSTATION_EGRESS_ALLOW: '127.0.0.1', WAYSTATION_WORKSPACES: folder }
  })
  const session = await server.startSession('triage')
  await session.runTurn('Go.')
  expect(server.model.requests).toEqual([])
  expect(await session.get()).toMatchObject({ error: { code: 'STOPPED_BY_PLUGIN' } })
})

test('003-15: a plugin that lists its events receives no others, and responses it does not need are streamed', async () => {
  const { session, received } = await startWithPlugins(
    { guard: { hook: continues, events: 'TOOL_CALL, TURN_END' } },
    [replyCalls({ name: 'tally', input: { text: 'a b' } }), replyText('Two.')]
  )
  await session.runTurn('Go.')
  await expect.poll(() => received.map(({ type }) => type)).toEqual(['TOOL_CALL', 'TURN_END', 'TURN_END'])
})

const hideNumbers: Hook = ({ payload }) => ({
  ...payload,
  input: payload.input.replaceAll(/[0-9]+/g, '[secret]')
})

test('003-15: replaced messages are passed in one event, and a retried step starts with the replacement and runs the hooks again', async () => {
  const { session, model, received, sql, startSecondServer, advanceTime } = await startWithPlugins(
    { guard: { hook: hideNumbers, events: 'AGENT_START' } },
    [{ kind: 'status', status: 503, body: { error: { message: 'Not now.' } } }, replyText('Hello.')],
    { WAYSTATION_ROLE: 'web' }
  )
  await session.send('Say 1234.')
  await session.send('And 5678.', { whenBusy: 'steer' })
  await startSecondServer({ WAYSTATION_ROLE: 'all' })
  await session.waitForEvent(event => event.type === 'status' && event.retryAt !== undefined)
  await advanceTime(600)
  await session.waitForEvent(event => event.type === 'status' && event.outcome === 'done')
  expect(received.map(({ payload }) => payload)).toMatchObject([
    { input: 'Say 1234.\n\nAnd 5678.' },
    { input: 'Say [secret].\n\nAnd [secret].' }
  ])
  for (const n of [0, 1]) {
    expect(promptOf(model, n)).toContain('Say [secret].\\n\\nAnd [secret].')
    expect(promptOf(model, n)).not.toMatch(/1234|5678/)
  }
  await expectValidSessions(sql)
})
