import { alarmTool } from '@waystation/protocol/call/tool-names.ts'
import { Alarms, SetAlarm } from '@waystation/protocol/session/alarm.ts'
import { AlarmSet } from '@waystation/protocol/session/alarm-set.ts'
import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'
import type { Tool } from '#lib/tools/tool.ts'
import { cancelOwnAlarm } from './cancel-alarm.ts'
import { listOwnAlarms } from './list-alarms.ts'
import { setAlarm } from './set-alarm.ts'

/** The tool by which an agent sets itself an alarm, once or repeatedly (001-20). */
export const alarmClock: Tool<SetAlarm, AlarmSet> = {
  name: alarmTool,
  description:
    'Set an alarm for yourself. At that time you receive a message in this conversation and continue from there, even days later. Do not wait for the alarm: finish your answer. Call list-alarms for the current time.',
  input: SetAlarm,
  output: z.object({ ...AlarmSet.shape, nextAt: Time }),
  where: 'server',
  title: ({ reminderMessage }) => reminderMessage?.slice(0, 200) ?? 'Set an alarm',
  timeout: 10,
  // The call's ID identifies the alarm, so a retry sets no second one.
  repeatable: true,
  execute: (input, { ctx, lease, call }) => setAlarm(ctx, lease, call.toolCallId, input)
}

/** The tool by which an agent lists the alarms of its session and reads the current time. */
export const listAlarms: Tool<Record<string, never>, Alarms> = {
  name: 'list-alarms',
  description: 'List the alarms of this conversation, and the current time.',
  input: z.strictObject({}),
  output: Alarms,
  where: 'server',
  title: () => 'List alarms',
  timeout: 10,
  repeatable: true,
  execute: (_, { ctx, lease }) => listOwnAlarms(ctx, lease.sessionKey)
}

const Cancel = z.strictObject({
  alarmId: z.string().min(1).max(64).describe('The alarmId that alarm-clock or list-alarms returned.')
})
type Cancel = z.infer<typeof Cancel>

/** The tool by which an agent cancels an alarm of its session. */
export const cancelAlarm: Tool<Cancel, { alarmId: string }> = {
  name: 'cancel-alarm',
  description: 'Cancel an alarm of this conversation.',
  input: Cancel,
  output: z.object({ alarmId: z.string() }),
  where: 'server',
  title: () => 'Cancel an alarm',
  timeout: 10,
  repeatable: true,
  execute: ({ alarmId }, { ctx, lease }) => cancelOwnAlarm(ctx, lease, alarmId)
}
