import type { Ports } from '#lib/kernel/ctx.ts'
import { isHandOff } from '#lib/protocol/hand-off.ts'
import { acknowledge } from './acknowledge.ts'
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

type Samples = Pick<Ports, 'sampleTools'>

/** The server's own tools that an agent can be given, by name. */
const builtIn: ReadonlyMap<string, Tool<never, unknown>> = new Map(
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
    githubOpenIssue
  ].map(tool => [tool.name, tool as unknown as Tool<never, unknown>])
)

/** The tools that an agent can be given: the server's own, then those of the sample services. */
export const offeredTools = ({ sampleTools = [] }: Samples): Tool<never, unknown>[] => [
  ...builtIn.values(),
  ...(sampleTools as readonly Tool<never, unknown>[])
]

/** The tool of that name that an agent can be given. */
export const toolNamed = (name: string, samples: Samples): Tool<never, unknown> | undefined =>
  builtIn.get(name) ?? offeredTools(samples).find(tool => tool.name === name)

/** Whether a call of it that a dead worker left is run again; also of the tool that no agent is given by its config. */
export const isRepeatable = (name: string, samples: Samples): boolean =>
  isHandOff(name) ||
  ((name === acknowledge.name ? acknowledge.repeatable : toolNamed(name, samples)?.repeatable) ?? false)
