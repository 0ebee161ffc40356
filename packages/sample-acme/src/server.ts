/** Everything that this package uses of the server. No other file imports from outside the package. */

export { digestOf } from '@waystation/base/digest.ts'
export { newId } from '@waystation/base/ids.ts'
export { log } from '@waystation/base/log.ts'
export type { Outbound } from '@waystation/egress'
export type { Sql } from '../../../db/client.ts'
export { type Html, html, visible } from '../../../lib/http/response/html.ts'
export { htmlPage, type Tone } from '../../../lib/http/response/html-page.ts'
export type { Vault } from '../../../lib/kernel/ctx.ts'
export { jsonOf, maxResponseBytes } from '../../../lib/tools/service-response.ts'
export type { Tool, ToolRun } from '../../../lib/tools/tool.ts'
export { IntegrationConfig } from '../../protocol/src/connection/integration.ts'
