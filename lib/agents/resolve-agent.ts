import type { Ctx } from '#lib/kernel/ctx.ts'
import { invalid } from '#lib/kernel/refusal.ts'
import { checkSchemas, schemasOf } from '#lib/kernel/schemas/check-schemas.ts'
import {
  type AgentConfig,
  type AgentTool,
  type ChatConfig,
  type EmbeddedTool,
  type RunnableChat,
  RunnableTool
} from '#lib/protocol/agent/agent.ts'
import { EmbedRefusal } from './embeds/embed-refusal.ts'
import { lookupIn } from './embeds/lookup.ts'
import { mayHoldEmbed } from './embeds/read-text.ts'
import { type Lookup, resolveEmbeds } from './embeds/resolve.ts'

/**
 * A chat agent's configuration as a turn runs it: its tools' embeds and those in its instructions resolved, its skills
 * behind the instructions. Asked once a turn; without an embed it is the same object and costs a look at each tool and
 * at the instructions. One that cannot be resolved: `INVALID_INPUT`, whose sentence names the embed and its place; `at`: what
 * the configuration is called there.
 */
export async function resolveAgent(
  ctx: Ctx,
  chat: ChatConfig,
  { lookup = lookupIn(ctx), at = 'chat' }: { lookup?: Lookup; at?: string } = {}
): Promise<RunnableChat> {
  if (holdsNone(chat)) return chat
  const { skills, ...rest } = chat
  // Of the other tools nothing is an embed, whatever their texts say.
  const tools = chat.tools.map(tool => (isEmbedded(tool) ? tool : null))
  const resolved = (await resolveEmbeds(
    { [at]: { instructions: chat.instructions, tools, skills: skills ?? [] } },
    { lookup }
  )) as Record<string, Found>
  const found = resolved[at] as Found
  return {
    ...rest,
    instructions: [
      textOf(found.instructions, `${at}.instructions`),
      ...found.skills.map((skill, index) => skillOf(skill, `${at}.skills.${index}`))
    ]
      .filter(text => text !== '')
      .join('\n\n'),
    tools: chat.tools.map((tool, index) =>
      isEmbedded(tool) ? toolOf(found.tools[index], `${at}.tools.${index}`) : tool
    )
  }
}

/**
 * Refuses a configuration that no turn could run: an embed that leads nowhere, or, once this is saved, to itself; a tool's
 * schema that nothing can be checked by. So too one whose MCP tools would run unasked without being named.
 */
export async function checkRunnable(ctx: Ctx, config: AgentConfig): Promise<void> {
  if (config.type !== 'chat') return
  const { tools } = await resolveAgent(ctx, config.chat, { lookup: lookupIn(ctx, config) })
  checkUnasked(tools, 'chat.tools')
  await checkSchemas(ctx, schemasOf(tools, 'chat.tools'))
}

/** Tools of an MCP server run without approval only if they are listed by name. `at`: the list's place. */
export function checkUnasked(tools: readonly RunnableTool[], at: string): void {
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

type Found = { instructions: unknown; tools: unknown[]; skills: unknown[] }

type Plain = Omit<ChatConfig, 'tools' | 'skills'> & { tools: Exclude<AgentTool, EmbeddedTool>[] }

const holdsNone = (chat: ChatConfig): chat is ChatConfig & Plain =>
  !chat.skills?.length && !mayHoldEmbed(chat.instructions) && !chat.tools.some(isEmbedded)

const isEmbedded = (tool: AgentTool): tool is EmbeddedTool => '@ag.embed' in tool

function toolOf(value: unknown, place: string): RunnableTool {
  const parsed = RunnableTool.safeParse(value)
  if (parsed.success) return parsed.data
  throw new EmbedRefusal('NotATool', place, 'the selected value is not a tool.')
}

function skillOf(value: unknown, place: string): string {
  if (typeof value !== 'object' || value === null) return textOf(value, place)
  const { name, text } = value as { name?: unknown; text?: unknown }
  const words = textOf(text, place)
  return typeof name === 'string' && name !== '' ? `## ${name}\n\n${words}` : words
}

function textOf(value: unknown, place: string): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  throw new EmbedRefusal('NotText', place, 'the selected value is not a text.')
}
