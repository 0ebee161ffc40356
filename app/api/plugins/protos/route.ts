import { hostedPluginOperations } from '#lib/http/operations/hosted-plugins.ts'
import { route } from '#lib/http/route.ts'
import { listProtos } from '#lib/plugins/hosted.ts'

export const GET = route(hostedPluginOperations.protos, listProtos)
