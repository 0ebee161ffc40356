import { alarmClock, cancelAlarm, listAlarms } from '#lib/features/alarms/alarm-clock.ts'
import { discoverConnections } from '#lib/features/connections/discover-connections.ts'
import { githubOpenIssue, githubReadFile, githubSearchIssues } from '#lib/features/connections/github.ts'
import { httpRequest } from '#lib/features/connections/http/http-request.ts'
import { httpRequestSource } from '#lib/features/connections/http/tool-source.ts'
import { mcpSource } from '#lib/features/connections/mcp/tool-source.ts'
import { spawnAgent } from '#lib/features/delegation/spawn-agent.ts'
import { handOffSource } from '#lib/features/delegation/tool-source.ts'
import { sendOutOfBand } from '#lib/features/out-of-band/send-tool.ts'
import { zxScript } from '#lib/features/scripts/zx-script.ts'
import { discoverCatalog } from '#lib/features/self-config/discover-catalog.ts'
import { commitRevision, readConfig } from '#lib/features/self-config/own-config.ts'
import { listSessionsTool } from '#lib/features/session-tools/list-sessions-tool.ts'
import { sessionStateTool } from '#lib/features/session-tools/session-state-tool.ts'
import { wikiFunctions } from '#lib/features/wikis/script-functions.ts'
import {
  wikiBacklinks,
  wikiGetErrors,
  wikiListTiddlers,
  wikiRecent,
  wikiSearch,
  wikiToc
} from '#lib/features/wikis/wiki-tools.ts'
import { wikiDelete, wikiRename, wikiWrite } from '#lib/features/wikis/write-tools.ts'
import { askQuestion } from '#lib/tools/ask-question.ts'
import { clientInfo } from '#lib/tools/client-info.ts'
import { pluginSource } from '#lib/tools/plugin-tools.ts'
import { summary } from '#lib/tools/summary.ts'
import type { Tool } from '#lib/tools/tool.ts'
import { webFetch } from '#lib/tools/web-fetch.ts'
import { checkScriptCall } from './check-script-call.ts'

type AnyTool = Tool<never, unknown>

/**
 * The built-in tools that an agent can have. To add a tool, write it in the folder of its feature and list it
 * here.
 */
const builtIn = [
  askQuestion,
  clientInfo,
  webFetch,
  sendOutOfBand,
  listSessionsTool,
  sessionStateTool,
  discoverConnections,
  discoverCatalog,
  readConfig,
  commitRevision,
  alarmClock,
  listAlarms,
  cancelAlarm,
  spawnAgent,
  wikiSearch,
  wikiListTiddlers,
  wikiRecent,
  wikiToc,
  wikiBacklinks,
  wikiGetErrors,
  wikiWrite,
  wikiRename,
  wikiDelete,
  summary,
  zxScript(wikiFunctions(checkScriptCall)),
  githubSearchIssues,
  githubReadFile,
  githubOpenIssue,
  httpRequest
] as unknown as AnyTool[]

/** Returns the built-in tools and the tools of the sample services by name. */
export const toolsWith = (samples: readonly object[] = []): ReadonlyMap<string, AnyTool> =>
  new Map([...(samples as readonly AnyTool[]), ...builtIn].map(tool => [tool.name, tool]))

/** The sources of tools that are not built in. */
export const toolSources = [mcpSource, httpRequestSource, pluginSource, handOffSource] as const
