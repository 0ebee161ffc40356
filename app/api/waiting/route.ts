import { listWaiting } from '#lib/sessions/list-waiting.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(callOperations.waiting, listWaiting)
