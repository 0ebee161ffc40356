import { approveOutOfBand } from '#lib/features/out-of-band/approve-out-of-band.ts'
import { getOobPolicy } from '#lib/features/out-of-band/get-oob-policy.ts'
import { listOobEdges } from '#lib/features/out-of-band/list-oob-edges.ts'
import { listOobMessages } from '#lib/features/out-of-band/list-oob-messages.ts'
import { listOutOfBand } from '#lib/features/out-of-band/list-out-of-band.ts'
import { removeOutOfBand } from '#lib/features/out-of-band/remove-out-of-band.ts'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { setOobPolicy } from '#lib/features/out-of-band/set-oob-policy.ts'
import { bind } from '#lib/http/endpoint.ts'
import { outOfBandOperations } from '#lib/http/operations/out-of-band.ts'
import { route } from '#lib/http/route.ts'

export const outOfBandEndpoints = bind(outOfBandOperations, {
  send: operation => route(operation, sendOutOfBand),
  list: operation => route(operation, listOutOfBand),
  remove: operation => route(operation, removeOutOfBand),
  approve: operation => route(operation, approveOutOfBand),
  getPolicy: operation => route(operation, getOobPolicy),
  setPolicy: operation => route(operation, setOobPolicy),
  edges: operation => route(operation, listOobEdges),
  messages: operation => route(operation, listOobMessages)
})
