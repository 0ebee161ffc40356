import { hostedPluginOperations } from '#lib/http/operations/hosted-plugins.ts'
import { route } from '#lib/http/route.ts'
import { restartHosted } from '#lib/plugins/hosted.ts'

export const POST = route(hostedPluginOperations.restart, restartHosted)
