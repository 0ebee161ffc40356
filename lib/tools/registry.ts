import { isHandOff } from '#lib/protocol/hand-off.ts'
import { acknowledge } from './acknowledge.ts'
import { acmeCreateOrder, acmeListOrders } from './acme.ts'
import { alarmClock, cancelAlarm, listAlarms } from './alarm-clock.ts'
import { askQuestion } from './ask-question.ts'
import { clientInfo } from './client-info.ts'
import { discoverConnections } from './discover-connections.ts'
import { githubOpenIssue, githubReadFile, githubSearchIssues } from './github.ts'
import { commitRevision, readConfig } from './own-config.ts'
import { sendOutOfBand } from './send-out-of-band.ts'
import { spawnAgent } from './spawn-agent.ts'
import { summary } from './summary.ts'
import type { Tool } from './tool.ts'
import { webFetch } from './web-fetch.ts'
import { wikiBacklinks, wikiGetErrors, wikiListTiddlers, wikiRecent, wikiSearch, wikiToc } from './wiki.ts'
import { zxScript } from './zx-script.ts'

/** Every tool of this server that an agent may be given, by name. */
export const builtIn: ReadonlyMap<string, Tool<never, unknown>> = new Map(
  [
    askQuestion,
    clientInfo,
    webFetch,
    sendOutOfBand,
    discoverConnections,
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
    summary,
    zxScript,
    githubSearchIssues,
    githubReadFile,
    githubOpenIssue,
    acmeListOrders,
    acmeCreateOrder
  ].map(tool => [tool.name, tool as unknown as Tool<never, unknown>])
)

const ofAcme: ReadonlySet<string> = new Set([acmeListOrders.name, acmeCreateOrder.name])

/** Those that an agent may be given here: the sample service is there in local mode alone. */
export const offeredTools = (local: boolean): Tool<never, unknown>[] =>
  [...builtIn.values()].filter(({ name }) => local || !ofAcme.has(name))

/** Whether a call of it that a dead worker left is run again; also of the tool that no agent is given by its config. */
export const isRepeatable = (name: string): boolean =>
  isHandOff(name) ||
  ((name === acknowledge.name ? acknowledge.repeatable : builtIn.get(name)?.repeatable) ?? false)
