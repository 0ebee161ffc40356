import type { Ctx } from '#lib/kernel/ctx.ts'
import type { RunnableChat, RunnableTool } from '#lib/protocol/agent/agent.ts'
import type { ListedTool } from '#lib/protocol/agent/listed-tool.ts'
import type { AnswerPolicy } from '#lib/protocol/call/answerers.ts'
import type { ResolvedTool } from './resolve.ts'
import type { Tool } from './tool.ts'

declare module '#lib/kernel/ctx.ts' {
  interface Ports {
    /** The tools that agents can be given by name (`compose/tools.ts`). */
    readonly tools: ReadonlyMap<string, Tool<never, unknown>>
    readonly toolSources: readonly ToolSource[]
  }
}

/** Of one agent, what a source brings. */
export type SourcedTools = {
  /** The tools that one entry of its configuration stands for; undefined: the entry is not this source's. `taken`: names in use. */
  of?: (config: RunnableTool, taken: ReadonlySet<string>) => readonly ResolvedTool[] | undefined
  /** Tools that no entry names. `answer`: who can answer what they ask of people. */
  more?: (answer: AnswerPolicy | undefined) => readonly ResolvedTool[]
}

/**
 * Where tools come from that this server does not define: MCP servers, plugins, other agents. `asks`: whether others are asked
 * for what they have, or what is known already is enough; `asksMcp` the same for MCP servers alone. Undefined: nothing.
 */
export type ToolSource = (
  ctx: Ctx,
  life: { sessionKey: number; generation: number },
  chat: RunnableChat,
  how: { asks: boolean; asksMcp: boolean }
) => Promise<SourcedTools | undefined>

/** What this server says of its tools, those that it does not run among them, with why. */
export const listedTools = (ports: Ctx['ports']): ListedTool[] =>
  [...ports.tools.values()].map(({ name, description, where, approval = 'auto', alwaysAsked, off }) => {
    const unavailable = off?.(ports)
    return {
      name,
      description,
      where,
      approval,
      ...(alwaysAsked ? { alwaysAsked } : {}),
      ...(unavailable === undefined ? {} : { unavailable })
    }
  })
