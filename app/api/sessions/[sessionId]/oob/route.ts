import { preflight } from '#lib/http/cors.ts'
import { outOfBandOperations } from '#lib/http/operations/out-of-band.ts'
import { route } from '#lib/http/route.ts'
import { listOutOfBand } from '#lib/sessions/list-out-of-band.ts'
import { sendOutOfBand } from '#lib/sessions/send-out-of-band.ts'

export const GET = route(outOfBandOperations.list, listOutOfBand)
export const POST = route(outOfBandOperations.send, sendOutOfBand)
export const OPTIONS = preflight
