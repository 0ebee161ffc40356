import type { Endpoint, Method } from '#lib/http/endpoint.ts'
import type { Handler } from '#lib/http/raw.ts'
import { forwardRoute } from '#lib/plugins/views/forward-route.ts'
import { acceptInvite } from './accept-invite.ts'
import { agentEndpoints } from './agents.ts'
import { alarmEndpoints } from './alarms.ts'
import { answerRoute } from './answer-page/answer-page.ts'
import { callEndpoints } from './calls.ts'
import { catalogueEndpoints } from './catalogue.ts'
import { chatEndpoints } from './chat.ts'
import { clientMetadataRoute } from './client-metadata.ts'
import { connectCallbackRoute, connectDoneRoute, connectRoute } from './connect-page/connect-page.ts'
import { connectionEndpoints } from './connections.ts'
import { externalEndpoints } from './external.ts'
import { fileEndpoints } from './files.ts'
import { grantEndpoints } from './grants.ts'
import { addedPluginEndpoints, hostedPluginEndpoints } from './hosted-plugins.ts'
import { httpToolEndpoints } from './http-tools.ts'
import { keyEndpoints } from './keys.ts'
import { localRoute } from './local-route.ts'
import { mcpEndpoints } from './mcp.ts'
import { memberEndpoints } from './members.ts'
import { modelEndpoints } from './models.ts'
import { outOfBandEndpoints } from './out-of-band.ts'
import { pluginRoute } from './plugin-route.ts'
import { pluginSettingsEndpoints } from './plugin-settings.ts'
import { pluginViewEndpoints } from './plugin-views.ts'
import { promptEndpoints } from './prompts.ts'
import { secretEndpoints } from './secrets.ts'
import { serverEndpoints } from './server.ts'
import { sessionEndpoints } from './sessions.ts'
import { sessionInBodyEndpoints } from './sessions-in-body.ts'
import { signInEndpoints } from './sign-ins.ts'
import { subAgentEndpoints } from './sub-agents.ts'
import { subjectEndpoints } from './subjects.ts'
import { tokenEndpoints } from './tokens.ts'
import { trialEndpoints } from './trials.ts'
import { webhookEndpoints } from './webhooks.ts'
import { wikiEndpoints } from './wikis.ts'
import { workspaceEndpoints } from './workspace.ts'

/** Makes endpoints that the API reference does not list: HTML pages, and endpoints for other programs. */
const unlisted = (methods: Method[], handler: Handler & { path: string }): Endpoint[] =>
  methods.map(method => ({ method, path: handler.path, handler, isForTokens: false }))

/** All endpoints that this server answers itself. Next answers all other requests. */
export const endpoints: Endpoint[] = [
  ...sessionEndpoints,
  ...sessionInBodyEndpoints,
  ...callEndpoints,
  ...fileEndpoints,
  ...outOfBandEndpoints,
  ...alarmEndpoints,
  ...promptEndpoints,
  ...trialEndpoints,
  ...subAgentEndpoints,
  ...grantEndpoints,
  ...chatEndpoints,
  ...connectionEndpoints,
  ...httpToolEndpoints,
  ...mcpEndpoints,
  ...modelEndpoints,
  ...hostedPluginEndpoints,
  ...addedPluginEndpoints,
  ...pluginSettingsEndpoints,
  ...pluginViewEndpoints,
  ...agentEndpoints,
  ...catalogueEndpoints,
  ...externalEndpoints,
  ...keyEndpoints,
  ...memberEndpoints,
  ...signInEndpoints,
  ...tokenEndpoints,
  ...subjectEndpoints,
  ...webhookEndpoints,
  ...secretEndpoints,
  ...workspaceEndpoints,
  ...wikiEndpoints,
  ...serverEndpoints,
  ...unlisted(['GET', 'POST', 'PUT', 'DELETE'], pluginRoute(forwardRoute)),
  ...unlisted(['GET'], connectCallbackRoute),
  ...unlisted(['GET', 'POST'], connectRoute),
  ...unlisted(['GET'], connectDoneRoute),
  ...unlisted(['GET', 'POST'], answerRoute),
  ...unlisted(['GET', 'POST'], localRoute),
  ...unlisted(['POST'], acceptInvite),
  ...unlisted(['GET'], clientMetadataRoute)
]
