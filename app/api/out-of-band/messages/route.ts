import { outOfBandOperations } from '#lib/http/operations/out-of-band.ts'
import { route } from '#lib/http/route.ts'
import { listOobMessages } from '#lib/sessions/list-oob-messages.ts'

export const GET = route(outOfBandOperations.messages, listOobMessages)
