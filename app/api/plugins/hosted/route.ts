import { hostedPluginOperations } from '#lib/http/operations/hosted-plugins.ts'
import { route } from '#lib/http/route.ts'
import { listHosted } from '#lib/plugins/hosted.ts'

export const GET = route(hostedPluginOperations.list, listHosted)
