import { preflight } from '#lib/http/cors.ts'
import { alarmOperations } from '#lib/http/operations/alarms.ts'
import { route } from '#lib/http/route.ts'
import { listAlarms } from '#lib/sessions/list-alarms.ts'

export const GET = route(alarmOperations.list, listAlarms)
export const OPTIONS = preflight
