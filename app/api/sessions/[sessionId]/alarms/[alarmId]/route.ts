import { preflight } from '#lib/http/cors.ts'
import { alarmOperations } from '#lib/http/operations/alarms.ts'
import { route } from '#lib/http/route.ts'
import { cancelAlarm } from '#lib/sessions/cancel-alarm.ts'

export const DELETE = route(alarmOperations.cancel, cancelAlarm)
export const OPTIONS = preflight
