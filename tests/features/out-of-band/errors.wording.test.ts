import { test } from 'vitest'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { setOobPolicy } from '#lib/features/out-of-band/set-oob-policy.ts'
import type { Operation } from '#lib/http/operation.ts'
import { outOfBandOperations } from '#lib/http/operations/out-of-band.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { OobPolicy, type OobPolicy as Policy, SendOob } from '#lib/protocol/out-of-band/out-of-band.ts'
import { expectSentences } from '#tests/support/expect-sentences.ts'
import { calls, says } from '#tests/support/fakes/openai-replies.ts'
import { callEndpoint } from '#tests/support/worlds/call-endpoint.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

const policy = (ctx: Ctx, sessionId: string, changes: Partial<Policy>) =>
  setOobPolicy(ctx, { sessionId, ...OobPolicy.parse(changes) })

test('the words for an out-of-band message that is refused', async () => {
  const { ctx, session: open } = await testWorld()
  const { id: sessionId } = await open()
  const tell = (body: object, by = ctx) =>
    sendOutOfBand(by, SendOob.parse({ sessionId, content: 'Build 8 failed.', ...body }))
  const person = ctxFor({ kind: 'person', userId: 'ada', name: 'Ada', role: 'owner', workspaceId: 'default' })
  const settings = 'A member who can edit the session can change this in its settings.'
  await expectSentences([
    [
      'nothing in it',
      () => tell({ content: ' ' }),
      'The content is empty. Write what the agent should know.'
    ],
    [
      'too much in it',
      () => tell({ content: 'x'.repeat(9000) }),
      'The content of an out-of-band message can be up to 8 KiB. Send a summary, and say where the details are.'
    ],
    [
      'an abort of a program',
      () => tell({ source: 'external', metadata: { action: 'abort' } }),
      'Only the sources "user" and "system" can abort a turn. Send the action "redirect" to let the agent decide.'
    ],
    [
      'a person who speaks for another',
      () => tell({ source: 'system' }, person),
      'You can send out-of-band messages only in your own name. Omit "source" and "sourceId", or use an API key.'
    ],
    [
      'a priority that the session does not take',
      () => policy(ctx, sessionId, { minPriority: 'high' }).then(() => tell({ priority: 'low' })),
      `This session accepts no messages below the priority high. ${settings}`
    ],
    [
      'a source that is muted',
      () =>
        policy(ctx, sessionId, { muted: [{ source: 'system' }] }).then(() =>
          tell({ source: 'system', sourceId: 'ci' })
        ),
      `This session has muted system "ci". ${settings}`
    ],
    [
      'a session that is off',
      () => policy(ctx, sessionId, { mode: 'off' }).then(() => tell({})),
      `This session accepts no out-of-band messages. ${settings}`
    ]
  ])
})

test('the words for an out-of-band message that cannot be let in or taken back', async () => {
  const { ctx, session: open } = await testWorld()
  const session = await open()
  const sessionId = session.id
  const send = (sourceId: string, more: object = {}) =>
    sendOutOfBand(ctx, SendOob.parse({ sessionId, content: 'Build 8 failed.', sourceId, ...more }))
  const { id: oobId } = await send('ci', { priority: 'low' })
  const act = (operation: Operation) => () => callEndpoint(operation, { params: { sessionId, oobId } })
  await expectSentences([
    [
      'let in though nothing held it',
      act(outOfBandOperations.approve),
      'This message is already visible, so there is nothing to approve.'
    ],
    [
      'taken back though the agent was told',
      async () => {
        await session.says('say hello')
        await session.sees(
          ({ type, ...event }) => type === 'oob' && JSON.stringify(event).includes('injected')
        )
        return act(outOfBandOperations.remove)()
      },
      'This message is already injected, so it cannot be removed. Send a new message with the correction.'
    ],
    [
      'one too many for a yes',
      async () => {
        await policy(ctx, sessionId, { mode: 'approve' })
        for (let n = 0; n < 50; n++) await send(`ci-${n}`)
        return send('ci')
      },
      '50 out-of-band messages already wait for approval in this session. Approve or remove some of them first.'
    ]
  ])
})

test('the words for an agent that tells another one', async () => {
  const { ctx, agent, session: open, model } = await testWorld({ script: [] })
  await agent({ chat: { tools: [{ name: 'send_out_of_band' }] } })
  const session = await open('test')
  await sendOutOfBand(
    ctx,
    SendOob.parse({ sessionId: session.id, content: 'Build 8 failed.', priority: 'low' })
  )
  const tells = { name: 'send_out_of_band', input: { sessionId: session.id, content: 'Hello.' } }
  const acknowledges = { name: 'acknowledge_out_of_band', input: { id: 'oob_none', effect: 'None.' } }
  model.play([says('I see.'), calls(tells, acknowledges), says('So be it.')])
  await session.says('hello')
  await session.says('go')
  const result = (n: number) => async () => (await session.get()).calls[n]?.errorText
  await expectSentences([
    ['itself', result(0), 'That is this session. Say it in your answer instead.'],
    ['an answer to nothing', result(1), 'No out-of-band message "oob_none" was delivered to you.']
  ])
})
