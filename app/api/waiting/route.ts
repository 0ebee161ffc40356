import { callOperations } from '#lib/http/operations/calls.ts'
import { route } from '#lib/http/route.ts'
import { listWaiting } from '#lib/sessions/list-waiting.ts'

export const GET = route(callOperations.waiting, listWaiting)
