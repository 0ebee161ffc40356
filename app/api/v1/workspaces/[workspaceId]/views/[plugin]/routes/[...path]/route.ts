import { pluginRoute } from '#lib/http/plugin-route.ts'
import { passRoute } from '#lib/plugins/views/pass-route.ts'

const pass = pluginRoute(passRoute)

export { pass as DELETE, pass as GET, pass as POST, pass as PUT }
