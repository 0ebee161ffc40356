/** The tool that runs a script of the agent. Each call needs approval of its exact text. */
export const scriptTool = 'zx-script'

/** The tool with which an agent proposes a change to its own configuration. */
export const commitRevisionTool = 'commit_revision'

/** The tool with which an agent sets an alarm for itself (001-20). */
export const alarmTool = 'alarm-clock'

/** The tool that sends HTTP requests to services with connected accounts. */
export const httpRequestTool = 'http-request'

/** The tool with which an agent gives the final answer of a turn (001-20). */
export const summaryTool = 'summary'

/** The tool whose results contain text of tiddlers, which pages render. */
export const wikiSearchTool = 'wiki-search'

/** Tools whose calls need separate approvals, based on their content: changes to the agent itself, and scripts. */
const alwaysAsked = new Set([commitRevisionTool, scriptTool])

/** True if approvals of this tool's calls can be remembered. */
export const isRememberable = (toolName: string): boolean => !alwaysAsked.has(toolName)

/** The tools whose results are changes of a wiki. */
export const wikiWriteTools: readonly string[] = ['wiki-write', 'wiki-rename', 'wiki-delete']
