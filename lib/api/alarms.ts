import { bind } from '#lib/http/endpoint.ts'
import { alarmOperations } from '#lib/http/operations/alarms.ts'
import { route } from '#lib/http/route.ts'
import { cancelAlarm } from '#lib/sessions/cancel-alarm.ts'
import { listAlarms } from '#lib/sessions/list-alarms.ts'

export const alarmEndpoints = bind(alarmOperations, {
  list: operation => route(operation, listAlarms),
  cancel: operation => route(operation, cancelAlarm)
})
