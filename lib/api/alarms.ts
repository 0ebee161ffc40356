import { cancelAlarm } from '#lib/features/alarms/cancel-alarm.ts'
import { listAlarms } from '#lib/features/alarms/list-alarms.ts'
import { bind } from '#lib/http/endpoint.ts'
import { alarmOperations } from '#lib/http/operations/alarms.ts'
import { route } from '#lib/http/route.ts'

export const alarmEndpoints = bind(alarmOperations, {
  list: operation => route(operation, listAlarms),
  cancel: operation => route(operation, cancelAlarm)
})
