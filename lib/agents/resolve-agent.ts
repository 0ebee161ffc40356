import { invalid } from '@waystation/base/api-error.ts'
import { checkSchemas, schemasOf } from '@waystation/json-schemas'
import {
  type AgentConfig,
  type AgentTool,
  type ChatConfig,
  type EmbeddedTool,
  type RunnableChat,
  RunnableTool
} from '@waystation/protocol/agent/agent.ts'
import { mightContainEmbed } from '@waystation/protocol/agent/read-embeds.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { laneOf } from '#lib/kernel/lane-of.ts'
import { EmbedError } from './embeds/embed-error.ts'
import { lookupIn } from './embeds/lookup.ts'
import { type Lookup, resolveEmbeds } from './embeds/resolve.ts'

/**
 * Resolves a chat agent's configuration for a turn: the embeds in its tools and instructions, and its skills, which
 * follow the instructions. Turns call it unless they know the result (`compose/turn/setup.ts`). A configuration without embeds and skills is returned unchanged, which
 * is fast. Throws `INVALID_INPUT` with the embed's location if one cannot be resolved. `at` is the configuration's name
 * in that location.
 */
export async function resolveAgent(
  ctx: Ctx,
  chat: ChatConfig,
  { lookup = lookupIn(ctx), at = 'chat' }: { lookup?: Lookup; at?: string } = {}
): Promise<RunnableChat> {
  if (hasNoEmbeds(chat)) return chat
  const { skills, ...rest } = chat
  // Other tools contain no embeds, even if their texts look like one.
  const tools = chat.tools.map(tool => (isEmbedded(tool) ? tool : null))
  const resolved = (await resolveEmbeds(
    { [at]: { instructions: chat.instructions, tools, skills: skills ?? [] } },
    { lookup }
  )) as Record<string, ResolvedParts>
  const parts = resolved[at] as ResolvedParts
  return {
    ...rest,
    instructions: [
      textOf(parts.instructions, `${at}.instructions`),
      ...parts.skills.map((skill, index) => skillOf(skill, `${at}.skills.${index}`))
    ]
      .filter(text => text !== '')
      .join('\n\n'),
    tools: chat.tools.map((tool, index) =>
      isEmbedded(tool) ? toolOf(parts.tools[index], `${at}.tools.${index}`) : tool
    )
  }
}

/**
 * Throws `INVALID_INPUT` for a configuration that no turn can run: an embed cannot be resolved or becomes circular, a
 * tool's schema is not usable, or MCP tools would run without approval without being listed.
 */
export async function checkRunnable(ctx: Ctx, config: AgentConfig): Promise<void> {
  if (config.type !== 'chat') return
  const { tools } = await resolveAgent(ctx, config.chat, { lookup: lookupIn(ctx, config) })
  checkAutoApprovedTools(tools, 'chat.tools')
  await checkSchemas(ctx.ports.schemas, schemasOf(tools, 'chat.tools'), laneOf(ctx))
}

/**
 * Throws `INVALID_INPUT` if an MCP server's tools run without approval but are not listed by name. `at` is the path of
 * the list.
 */
export function checkAutoApprovedTools(tools: readonly RunnableTool[], at: string): void {
  const unlisted = tools.flatMap((tool, index) =>
    'mcp' in tool && tool.approval === 'auto' && tool.tools === undefined
      ? [[`${at}.${index}.tools`, `must list the tools of "${tool.mcp}" that run without approval`] as const]
      : []
  )
  if (unlisted.length === 0) return
  throw invalid(
    'An MCP server with "approval": "auto" needs the list "tools". List its tools, or use "approval": "ask".',
    Object.fromEntries(unlisted)
  )
}

type ResolvedParts = { instructions: unknown; tools: unknown[]; skills: unknown[] }

type WithoutEmbeds = Omit<ChatConfig, 'tools' | 'skills'> & { tools: Exclude<AgentTool, EmbeddedTool>[] }

const hasNoEmbeds = (chat: ChatConfig): chat is ChatConfig & WithoutEmbeds =>
  !chat.skills?.length && !mightContainEmbed(chat.instructions) && !chat.tools.some(isEmbedded)

const isEmbedded = (tool: AgentTool): tool is EmbeddedTool => '@ag.embed' in tool

/** Returns an embedded value as a tool. Throws `NotATool` with the path of its embed. */
export function toolOf(value: unknown, path: string): RunnableTool {
  const parsed = RunnableTool.safeParse(value)
  if (parsed.success) return parsed.data
  throw new EmbedError('NotATool', path, 'the selected value is not a tool.')
}

function skillOf(value: unknown, path: string): string {
  if (typeof value !== 'object' || value === null) return textOf(value, path)
  const { name, text } = value as { name?: unknown; text?: unknown }
  const body = textOf(text, path)
  return typeof name === 'string' && name !== '' ? `## ${name}\n\n${body}` : body
}

/** Returns an embedded value as a text. Throws `NotText` with the path of its embed. */
export function textOf(value: unknown, path: string): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  throw new EmbedError('NotText', path, 'the selected value is not a text.')
}
