import { outOfBandOperations } from '#lib/http/operations/out-of-band.ts'
import { route } from '#lib/http/route.ts'
import { approveOutOfBand } from '#lib/sessions/approve-out-of-band.ts'

export const POST = route(outOfBandOperations.approve, approveOutOfBand)
