import { outOfBandOperations } from '#lib/http/operations/out-of-band.ts'
import { route } from '#lib/http/route.ts'
import { setOobPolicy } from '#lib/sessions/set-oob-policy.ts'

export const PUT = route(outOfBandOperations.setPolicy, setOobPolicy)
