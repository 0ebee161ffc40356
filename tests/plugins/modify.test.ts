import { expect, test } from 'vitest'
import { handOffSession } from '#lib/features/delegation/hand-off-session.ts'
import { getPrompt } from '#lib/features/prompts/get-prompt.ts'
import { listPrompts } from '#lib/features/prompts/list-prompts.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { pluginFolder } from '#tests/support/fakes/plugin-folder.ts'
import type { Hook } from '#tests/support/fakes/plugins/start-test-plugin.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startWithPlugins } from '#tests/support/servers/server-with-plugins.ts'

const onEvent = (
  expected: string,
  change: (payload: Record<string, unknown>) => unknown
): { hook: Hook } => ({
  hook: ({ type, payload }) => (type === expected ? change(payload as Record<string, unknown>) : undefined)
})

test('003-16: LLM_REQUEST names the concrete model and describes each tool with its schema', async () => {
  const { session, received } = await startWithPlugins({ guard: onEvent('LLM_REQUEST', () => undefined) }, [
    replyText('Hello.')
  ])
  await session.runTurn('Go.')
  const payload = received.find(({ type }) => type === 'LLM_REQUEST')?.payload as {
    model: string
    tools: { name: string; description: string; parameters_json_schema: string }[]
  }
  expect(payload.model).toMatch(/^openai\/./)
  const tool = payload.tools.find(({ name }) => name === 'handoff_to_billing')
  expect(tool?.description).toContain('billing')
  expect(JSON.parse(tool?.parameters_json_schema ?? '')).toMatchObject({
    type: 'object',
    properties: { reason: { type: 'string' } }
  })
})

test('003-15: a plugin chooses the model of a step and how a tool is described', async () => {
  const { session, model, ctx } = await startWithPlugins(
    {
      router: onEvent('LLM_REQUEST', payload => ({
        ...payload,
        model: 'openai/gpt-4o-mini',
        tools: [{ name: 'echo', description: 'Shouts.', parameters_json_schema: '{"type":"object"}' }]
      }))
    },
    [replyText('Hello.')]
  )
  await session.runTurn('Go.')
  expect(model.requests[0]?.body).toMatchObject({
    model: 'gpt-4o-mini',
    tools: [{ function: { name: 'echo', description: 'Shouts.' } }]
  })
  const { prompts } = await listPrompts(ctx, { sessionId: session.id, limit: 50 })
  expect(prompts[0]?.states.at(-2)).toMatchObject({ plugin: 'router', model: 'openai/gpt-4o-mini' })
  const { promptId = 0 } = prompts[0] ?? {}
  const prompt = await getPrompt(ctx, { sessionId: session.id, promptId })
  expect(prompt.tools).toMatchObject([{ name: 'echo', description: 'Shouts.' }])
})

test('003-15: a model that a plugin chose and that is not configured ends the turn with a clear error', async () => {
  const { session, model } = await startWithPlugins(
    { router: onEvent('LLM_REQUEST', payload => ({ ...payload, model: 'nowhere/none' })) },
    [replyText('Never.')]
  )
  await session.runTurn('Go.')
  expect(model.requests).toEqual([])
  expect(await session.get()).toMatchObject({ error: { code: 'NOT_CONFIGURED' } })
})

test('003-15: a plugin replaces a call by one of another tool, which needs its own approval', async () => {
  const { session, model, sql } = await startWithPlugins(
    {
      guard: onEvent('TOOL_CALL', payload => ({
        ...payload,
        tool_name: 'echo',
        arguments_json: '{"text":"instead"}'
      }))
    },
    [replyCalls({ name: 'tally', input: { text: 'a b' } }), replyText('Done.')],
    {},
    { tools: [{ plugin: '*', approval: 'ask' }] } as never
  )
  await session.runTurn('Go.')
  const call = await session.waitForCall('echo')
  expect(call).toMatchObject({ toolName: 'echo', input: { text: 'instead' }, kind: 'approval' })
  const shown = (await session.get()).messages.flatMap(({ parts }) => parts.map(({ type }) => type))
  expect(shown).toContain('tool-echo')
  expect(shown).not.toContain('tool-tally')
  await session.answer(call, { approved: true })
  await session.waitForEnd()
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('"name":"echo"')
  await expectValidSessions(sql)
})

test('003-15: a plugin adds, changes and removes calls of a model response', async () => {
  const { session, model, sql } = await startWithPlugins(
    {
      guard: onEvent('LLM_RESPONSE', payload => {
        const calls = payload.tool_calls as { id: string; name: string; arguments_json: string }[]
        const [first] = calls
        if (first === undefined) return undefined
        return {
          ...payload,
          tool_calls: [
            { ...first, arguments_json: '{"text":"changed"}' },
            { id: 'mine', name: 'echo', arguments_json: '{"text":"added"}' }
          ]
        }
      })
    },
    [
      replyCalls({ name: 'tally', input: { text: 'a' } }, { name: 'tally', input: { text: 'removed' } }),
      replyText('Done.')
    ]
  )
  await session.runTurn('Go.')
  const history = JSON.stringify(model.requests[1]?.body.messages)
  expect(history).toContain('changed')
  expect(history).toContain('added')
  expect(history).not.toContain('removed')
  const { calls } = await session.get()
  expect(calls.map(({ toolName, input }) => [toolName, input])).toEqual([
    ['tally', { text: 'changed' }],
    ['echo', { text: 'added' }]
  ])
  // A plugin's own ID could clash with one of an earlier step.
  expect(calls.map(({ toolCallId }) => toolCallId)).not.toContain('mine')
  await expectValidSessions(sql)
})

test('003-15: a call of a plugin that does not exist or does not fit its schema gives the model an error', async () => {
  const { session, model } = await startWithPlugins(
    {
      guard: onEvent('LLM_RESPONSE', payload =>
        payload.content === ''
          ? {
              ...payload,
              tool_calls: [
                { id: 'a', name: 'rm-rf', arguments_json: '{}' },
                { id: 'b', name: 'handoff_to_billing', arguments_json: '{"reason":7}' }
              ]
            }
          : undefined
      )
    },
    [replyCalls({ name: 'tally', input: { text: 'a' } }), replyText('Done.')]
  )
  await session.runTurn('Go.')
  expect((await session.get()).calls.map(({ state }) => state)).toEqual(['failed', 'failed'])
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('rm-rf')
})

test('003-15: a plugin hands off to another agent than the model, a plugin or a user chose', async () => {
  const router = await pluginFolder({
    'router.mjs': `export default { name: 'router', hooks: () => ({
      afterModel: ({ text }, { actions }) => { if (text.startsWith('To ')) actions.yieldNextRoundTo = 'agent:billing' }
    }) }`
  })
  const { session, saveAgent, ctx } = await startWithPlugins(
    {
      guard: onEvent('HANDOFF', payload => ({
        ...payload,
        to_agent: payload.to_agent === 'billing' ? 'refunds' : payload.to_agent
      }))
    },
    [
      replyCalls({ name: 'handoff_to_billing', input: { reason: 'An invoice.' } }),
      replyText('Refunded.'),
      replyText('To billing.'),
      replyText('Refunded again.')
    ],
    { WAYSTATION_PLUGINS: router },
    { handoffs: ['billing', 'refunds'], plugins: [{ name: 'router' }] } as never
  )
  await saveAgent({ agentId: 'refunds', chat: { instructions: 'You are refunds.' } })
  const speaker = async () => (await session.get()).session.speaker?.agentId
  const handOffTo = (agentId: string) => handOffSession(ctx, { sessionId: session.id, agentId })
  await session.runTurn('By the model.')
  expect(await speaker()).toBe('refunds')
  await handOffTo('triage')
  await session.runTurn('By a plugin.')
  expect(await speaker()).toBe('refunds')
  await handOffTo('triage')
  expect(await handOffTo('billing')).toMatchObject({ speaker: { agentId: 'refunds' } })
})
