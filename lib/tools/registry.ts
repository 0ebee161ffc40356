import { alarmClock, cancelAlarm, listAlarms } from '#lib/features/alarms/alarm-clock.ts'
import { discoverConnections } from '#lib/features/connections/discover-connections.ts'
import { spawnAgent } from '#lib/features/delegation/spawn-agent.ts'
import { acknowledge } from '#lib/features/out-of-band/acknowledge-tool.ts'
import { sendOutOfBand } from '#lib/features/out-of-band/send-tool.ts'
import { zxScript } from '#lib/features/scripts/zx-script.ts'
import { commitRevision, readConfig } from '#lib/features/self-config/own-config.ts'
import {
  wikiBacklinks,
  wikiGetErrors,
  wikiListTiddlers,
  wikiRecent,
  wikiSearch,
  wikiToc
} from '#lib/features/wikis/wiki-tools.ts'
import type { Ports } from '#lib/kernel/ctx.ts'
import { isHandOff } from '#lib/protocol/agent/hand-off.ts'
import { askQuestion } from './ask-question.ts'
import { clientInfo } from './client-info.ts'
import { githubOpenIssue, githubReadFile, githubSearchIssues } from './github.ts'
import { summary } from './summary.ts'
import type { Tool } from './tool.ts'
import { webFetch } from './web-fetch.ts'

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
