import type { RunnableChat, RunnableTool } from '@waystation/protocol/agent/agent.ts'
import type { ListedTool } from '@waystation/protocol/agent/listed-tool.ts'
import type { AnswerPolicy } from '@waystation/protocol/call/answer-policy.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { ResolvedTool } from './resolved-tool.ts'
import type { Tool } from './tool.ts'

declare module '#lib/kernel/ctx.ts' {
  interface Ports {
    /** Tools that can be enabled by name (`compose/tools.ts`). In development, a reload replaces the map. */
    readonly tools: ReadonlyMap<string, Tool<never, unknown>>
    readonly toolSources: readonly ToolSource[]
  }
}

/** The tools of a source for one agent. */
export type SourcedTools = {
  /**
   * Returns the tools for one entry of the agent's configuration. Undefined if the entry belongs to another source.
   * `usedNames` has names that are in use.
   */
  forEntry?: (config: RunnableTool, usedNames: ReadonlySet<string>) => readonly ResolvedTool[] | undefined
  /** Returns tools that need no entry. `answer` is the agent's answer policy. */
  additional?: (answer: AnswerPolicy | undefined) => readonly ResolvedTool[]
}

/**
 * A source of tools that this server does not define: MCP servers, plugins or other agents. If `queryServers` is false, known
 * tools are returned without contacting others. `queryMcp` overrides it for MCP servers. Returns undefined if it has no
 * tools for this agent.
 */
export type ToolSource = (
  ctx: Ctx,
  life: { sessionKey: number; generation: number },
  chat: RunnableChat,
  how: { queryServers: boolean; queryMcp: boolean }
) => Promise<SourcedTools | undefined>

/** Lists this server's tools, the operator's own first. A tool that cannot run on this server has the reason. */
export const listedTools = (ports: Ctx['ports']): ListedTool[] =>
  [...ports.tools.values()]
    .toSorted(ownFirst)
    .map(({ name, description, where, approval = 'auto', alwaysAsked, off, source }) => {
      const unavailable = off?.(ports)
      return {
        name,
        description,
        where,
        approval,
        ...(source === undefined ? {} : { source }),
        ...(alwaysAsked ? { alwaysAsked } : {}),
        ...(unavailable === undefined ? {} : { unavailable })
      }
    })

const ownFirst = (a: { source?: string }, b: { source?: string }) =>
  Number(b.source !== undefined) - Number(a.source !== undefined)
