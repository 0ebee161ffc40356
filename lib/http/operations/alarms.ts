import { Alarms, InAlarm } from '@waystation/protocol/session/alarm.ts'
import { InSession } from '@waystation/protocol/session/session-id.ts'
import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'

export const alarmOperations = {
  list: operation({
    id: 'listAlarms',
    method: 'GET',
    path: '/api/sessions/{sessionId}/alarms',
    summary: "List a session's pending alarms, next first",
    actor: 'user',
    scope: 'read',
    tokens: true,
    input: InSession,
    answer: Alarms,
    errors: ['NOT_FOUND']
  }),
  cancel: operation({
    id: 'cancelAlarm',
    method: 'DELETE',
    path: '/api/sessions/{sessionId}/alarms/{alarmId}',
    summary: 'Cancel a pending alarm',
    actor: 'user',
    scope: 'send',
    tokens: true,
    input: InAlarm,
    answer: z.object({ alarmId: z.string() }),
    errors: ['NOT_FOUND', 'CONFLICT']
  })
}
