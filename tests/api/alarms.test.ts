import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/house.ts'
import type { Call } from '#lib/protocol/call.ts'
import type { MessageEvent } from '#lib/protocol/event.ts'
import { textOf } from '#lib/protocol/message.ts'
import { cancelAlarm } from '#lib/sessions/cancel-alarm.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { fireAlarm, fireLate } from '#lib/sessions/fire-alarm.ts'
import { listAlarms } from '#lib/sessions/list-alarms.ts'
import { expectSoundSessions } from '#tests/support/facts.ts'
import { calls, fails, holds, says } from '#tests/support/openai-replies.ts'
import { type TestSession, testWorld } from '#tests/support/world.ts'

const tools = [{ name: 'alarm-clock' }, { name: 'list-alarms' }, { name: 'cancel-alarm' }]
const minutes = (n: number) => new Date(Date.now() + n * 60_000).toISOString()
const isFired = (event: { type: string }) =>
  event.type === 'message' && (event as MessageEvent).message.metadata?.sentBy === 'Alarm clock'

/** An agent that may set alarms, with the demo model unless there is a script. */
async function waking(options: Parameters<typeof testWorld>[0] = {}) {
  const world = await testWorld(options)
  await world.agent({ chat: { tools } })
  const session = await world.session('test')
  return { ...world, session, ...by(session, world.ctx) }
}

const by = (session: TestSession, ctx: Ctx) => ({
  /** Has the agent use a tool, and gives what the tool answered. */
  async uses<T>(name: string, input: object): Promise<T> {
    await session.says(`use ${name} ${JSON.stringify(input)}`)
    const call = (await session.get()).calls.at(-1) as Call
    return (call.output ?? call.errorText) as T
  },
  list: async () => (await listAlarms(ctx, { sessionId: session.id })).alarms,
  /** The messages of alarms, oldest first. */
  fired: async () => (await session.log()).filter(isFired) as MessageEvent[]
})

test('001-20: at its time an alarm is a message in its session, which starts a turn, once', async () => {
  const { session, uses, list, fired, pass, sql } = await waking()
  const wakeAtISO = minutes(60)
  const set = await uses<{ alarmId: string; nextAt: string }>('alarm-clock', {
    wakeAtISO,
    reminderMessage: 'say Good morning'
  })
  expect(set).toEqual({ alarmId: expect.stringMatching(/^alarm_/), nextAt: wakeAtISO })
  expect(await list()).toEqual([
    expect.objectContaining({ ...set, reminderMessage: 'say Good morning', toolCallId: expect.any(String) })
  ])
  expect((await session.get()).session).toMatchObject({ status: 'idle' })

  const ended = session.ends()
  await pass(3601)
  const { message } = (await session.sees(isFired)) as MessageEvent
  expect(message.metadata).toMatchObject({ sentBy: 'Alarm clock' })
  expect(textOf(message)).toMatch(/^\[Alarm Clock\] say Good morning \(due .*Z, alarm_/)
  expect(await ended).toMatchObject({ outcome: 'done' })
  expect(await list()).toEqual([])
  await pass(7200)
  await fireAlarm(ctxFor({ kind: 'system', name: 'server', workspaceId: '' }), set)
  expect(await fired()).toHaveLength(1)
  await expectSoundSessions(sql)
})
