import { preflight } from '#lib/http/cors.ts'
import { outOfBandOperations } from '#lib/http/operations/out-of-band.ts'
import { route } from '#lib/http/route.ts'
import { removeOutOfBand } from '#lib/sessions/remove-out-of-band.ts'

export const DELETE = route(outOfBandOperations.remove, removeOutOfBand)
export const OPTIONS = preflight
