import { bind } from '#lib/http/endpoint.ts'
import { outOfBandOperations } from '#lib/http/operations/out-of-band.ts'
import { route } from '#lib/http/route.ts'
import { approveOutOfBand } from '#lib/sessions/approve-out-of-band.ts'
import { listOobEdges } from '#lib/sessions/list-oob-edges.ts'
import { listOobMessages } from '#lib/sessions/list-oob-messages.ts'
import { listOutOfBand } from '#lib/sessions/list-out-of-band.ts'
import { removeOutOfBand } from '#lib/sessions/remove-out-of-band.ts'
import { sendOutOfBand } from '#lib/sessions/send-out-of-band.ts'
import { setOobPolicy } from '#lib/sessions/set-oob-policy.ts'

export const outOfBandEndpoints = bind(outOfBandOperations, {
  send: operation => route(operation, sendOutOfBand),
  list: operation => route(operation, listOutOfBand),
  remove: operation => route(operation, removeOutOfBand),
  approve: operation => route(operation, approveOutOfBand),
  setPolicy: operation => route(operation, setOobPolicy),
  edges: operation => route(operation, listOobEdges),
  messages: operation => route(operation, listOobMessages)
})
