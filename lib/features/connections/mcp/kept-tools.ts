import { z } from 'zod'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ToolError } from '#lib/kernel/known-error.ts'
import { notInTime } from '#lib/kernel/schemas/schemas.ts'
import { laneOf } from '#lib/kernel/threads/lane-of.ts'
import { InputSchema } from '#lib/protocol/agent/agent.ts'
import type { McpTool } from '#lib/protocol/connection/mcp.ts'

const Told = z.looseObject({
  name: z.string().min(1).max(128),
  title: z.string().optional(),
  description: z.string().default(''),
  inputSchema: InputSchema
})

/** The longest that a description is, and all of a list together, in characters. */
const longestDescription = 4000
const longestList = 512 * 1024

/**
 * The tools of a server's list that can be used. A tool whose definition or schema is unusable is left out, and so is what goes
 * beyond the longest list. `leftOut`: their names, each with the reason.
 */
export async function keptOf(
  ctx: Ctx,
  told: readonly unknown[]
): Promise<{ tools: McpTool[]; leftOut: string[] }> {
  const tools: McpTool[] = []
  const leftOut: string[] = []
  let left = longestList
  for (const one of told) {
    const parsed = Told.safeParse(one)
    if (!parsed.success) {
      const name = (one as { name?: unknown } | null)?.name ?? 'unnamed tool'
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
      description: description.slice(0, longestDescription),
      inputSchema
    }
    left -= JSON.stringify(tool).length
    if (left < 0) {
      leftOut.push(`${name} and all tools after it: the list is longer than ${longestList / 1024} KiB`)
      break
    }
    tools.push(tool)
  }
  const faults = await ctx.ports.schemas.faultsOf(
    tools.map(({ inputSchema }) => inputSchema),
    laneOf(ctx)
  )
  // It may be the machine that is busy: what was listed before stays.
  if (faults.includes(notInTime))
    throw new ToolError('The schemas of the tools could not be checked in time. Try again.')
  for (const [n, { name }] of tools.entries())
    if (faults[n] !== null) leftOut.push(`${name}: its inputSchema ${faults[n]}`.slice(0, 200))
  return { tools: tools.filter((_, n) => faults[n] === null), leftOut }
}
