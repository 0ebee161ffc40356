import type { Operation } from '#lib/http/operation.ts'
import { agentOperations } from './agents.ts'
import { alarmOperations } from './alarms.ts'
import { callOperations } from './calls.ts'
import { catalogueOperations } from './catalogue.ts'
import { chatOperations } from './chat.ts'
import { connectionOperations } from './connections.ts'
import { externalOperations } from './external.ts'
import { fileOperations } from './files.ts'
import { grantOperations } from './grants.ts'
import { addedPluginOperations, hostedPluginOperations } from './hosted-plugins.ts'
import { httpToolOperations } from './http-tools.ts'
import { keyOperations } from './keys.ts'
import { mcpOperations } from './mcp.ts'
import { memberOperations } from './members.ts'
import { modelOperations } from './models.ts'
import { outOfBandOperations } from './out-of-band.ts'
import { pluginSettingsOperations } from './plugin-settings.ts'
import { pluginViewOperations } from './plugin-views.ts'
import { promptOperations } from './prompts.ts'
import { secretOperations } from './secrets.ts'
import { serverOperations } from './server.ts'
import { sessionOperations } from './sessions.ts'
import { sessionInBodyOperations } from './sessions-in-body.ts'
import { signInOperations } from './sign-ins.ts'
import { subAgentOperations } from './sub-agents.ts'
import { subjectOperations } from './subjects.ts'
import { tokenOperations } from './tokens.ts'
import { trialOperations } from './trials.ts'
import { webhookOperations } from './webhooks.ts'
import { wikiOperations } from './wikis.ts'
import { workspaceOperations } from './workspace.ts'

/** Every operation of the API. The server does not start if `lib/api` binds no verb to one of them. */
export const operations = [
  sessionOperations,
  sessionInBodyOperations,
  callOperations,
  fileOperations,
  outOfBandOperations,
  alarmOperations,
  promptOperations,
  trialOperations,
  subAgentOperations,
  grantOperations,
  chatOperations,
  connectionOperations,
  httpToolOperations,
  mcpOperations,
  hostedPluginOperations,
  addedPluginOperations,
  pluginSettingsOperations,
  pluginViewOperations,
  agentOperations,
  catalogueOperations,
  externalOperations,
  keyOperations,
  memberOperations,
  signInOperations,
  tokenOperations,
  subjectOperations,
  webhookOperations,
  modelOperations,
  secretOperations,
  workspaceOperations,
  wikiOperations,
  serverOperations
].flatMap(group => Object.values(group) as Operation[])
