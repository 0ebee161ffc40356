import { outOfBandOperations } from '#lib/http/operations/out-of-band.ts'
import { route } from '#lib/http/route.ts'
import { listOobEdges } from '#lib/sessions/list-oob-edges.ts'

export const GET = route(outOfBandOperations.edges, listOobEdges)
