import { redeliver } from '#lib/deliveries/redeliver.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { route } from '#lib/http/route.ts'

export const POST = route(externalOperations.redeliver, redeliver)
