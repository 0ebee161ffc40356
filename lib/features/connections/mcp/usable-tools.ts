import { ToolError } from '@waystation/base/known-error.ts'
import { notInTime } from '@waystation/json-schemas'
import { InputSchema } from '@waystation/protocol/agent/agent.ts'
import type { McpTool } from '@waystation/protocol/connection/mcp.ts'
import { z } from 'zod'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { laneOf } from '#lib/kernel/lane-of.ts'

const ListedTool = z.looseObject({
  name: z.string().min(1).max(128),
  title: z.string().optional(),
  description: z.string().default(''),
  inputSchema: InputSchema
})

/** The maximum length of a description, and of all tools of a list together, in characters. */
const maxDescriptionChars = 4000
const maxListChars = 512 * 1024

/**
 * Returns the usable tools of a server's list. Tools with an unusable definition or schema are left out, and
 * so are all tools after the length limit. `leftOut` has their names with the reason.
 */
export async function usableTools(
  ctx: Ctx,
  listed: readonly unknown[]
): Promise<{ tools: McpTool[]; leftOut: string[] }> {
  const tools: McpTool[] = []
  const leftOut: string[] = []
  let remaining = maxListChars
  for (const candidate of listed) {
    const parsed = ListedTool.safeParse(candidate)
    if (!parsed.success) {
      const name = (candidate as { name?: unknown } | null)?.name ?? 'unnamed tool'
      const [issue] = parsed.error.issues
      leftOut.push(
        `${String(name).slice(0, 128)}: ${String(issue?.path[0] ?? 'definition')}: ${issue?.message}`
      )
      continue
    }
    const { name, title, description, inputSchema } = parsed.data
    const tool: McpTool = {
      name,
      ...(title === undefined ? {} : { title: title.slice(0, 80) }),
      description: description.slice(0, maxDescriptionChars),
      inputSchema
    }
    remaining -= JSON.stringify(tool).length
    if (remaining < 0) {
      leftOut.push(`${name} and all tools after it: the list is longer than ${maxListChars / 1024} KiB`)
      break
    }
    tools.push(tool)
  }
  const errors = await ctx.ports.schemas.errorsOf(
    tools.map(({ inputSchema }) => inputSchema),
    laneOf(ctx)
  )
  // A timeout may mean that this machine is busy, so the previous list stays.
  if (errors.includes(notInTime))
    throw new ToolError('The schemas of the tools could not be checked in time. Try again.')
  for (const [n, { name }] of tools.entries())
    if (errors[n] !== null) leftOut.push(`${name}: its inputSchema ${errors[n]}`.slice(0, 200))
  return { tools: tools.filter((_, n) => errors[n] === null), leftOut }
}
