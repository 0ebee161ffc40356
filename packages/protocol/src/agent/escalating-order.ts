import { labelOf } from './config-diff.ts'

type Tool = Record<string, unknown>

/**
 * Returns a sentence for each pair of tools whose order changed so that the agent can do more. If two tools have the
 * same name, the first one is used (`tools/resolve.ts`). So removing or moving the first can enable a less restricted
 * one. The names that an embed or an MCP server provides are unknown here.
 */
export function escalatesByOrder(before: readonly Tool[], after: readonly Tool[]): string[] {
  const positions = new Map(after.map((tool, index) => [labelOf(tool), index]))
  const positionOf = (tool: Tool) => positions.get(labelOf(tool))
  return before.flatMap((first, index) =>
    before
      .slice(index + 1)
      .filter(second => {
        const position = positionOf(second)
        return (
          position !== undefined && position < (positionOf(first) ?? Infinity) && canShareName(first, second)
        )
      })
      .map(
        second =>
          `${labelOf(second)} can now be used in place of ${labelOf(first)}, which was listed before it.`
      )
  )
}

function canShareName(first: Tool, second: Tool): boolean {
  if (typeof first.name === 'string' && typeof second.name === 'string') return first.name === second.name
  const [firstPrefixes, secondPrefixes] = [prefixesOf(first), prefixesOf(second)]
  return (
    firstPrefixes === undefined ||
    secondPrefixes === undefined ||
    firstPrefixes.some(a => secondPrefixes.some(b => a.startsWith(b) || b.startsWith(a)))
  )
}

/**
 * Returns the possible prefixes of a tool's names. Undefined means any name. Long prefixes are cut
 * (`features/connections/mcp/mcp-tools.ts`).
 */
function prefixesOf({ name, mcp }: Tool): string[] | undefined {
  if (typeof name === 'string') return [name]
  if (typeof mcp === 'string') return [`${mcp}__`.slice(0, 50), `connect_${mcp}`.slice(0, 50)]
}
