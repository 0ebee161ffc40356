import { externalOperations } from '#lib/http/operations/external.ts'
import { textRoute } from '#lib/http/text-route.ts'
import { AdmitCallback } from '#lib/protocol/callback.ts'
import { admitCallback } from '#lib/sessions/admit-callback.ts'
import { receiveCallback } from '#lib/sessions/receive-callback.ts'

export const POST = textRoute(externalOperations.callback, AdmitCallback, admitCallback, receiveCallback)
