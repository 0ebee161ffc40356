import { labelOf } from './config-diff.ts'

type Tool = Record<string, unknown>

/**
 * What a list of tools lets an agent do more because of its order, a sentence each: of two with the same name the first counts
 * (`tools/resolve.ts`), so one that goes, or goes behind another, may have kept a looser one from being used. Which names an
 * embed or an MCP server brings is not known here.
 */
export function escalatesByOrder(before: readonly Tool[], after: readonly Tool[]): string[] {
  const places = new Map(after.map((tool, index) => [labelOf(tool), index]))
  const placeOf = (tool: Tool) => places.get(labelOf(tool))
  return before.flatMap((first, index) =>
    before
      .slice(index + 1)
      .filter(second => {
        const place = placeOf(second)
        return place !== undefined && place < (placeOf(first) ?? Infinity) && mayBeCalledAlike(first, second)
      })
      .map(
        second =>
          `${labelOf(second)} can now be used in place of ${labelOf(first)}, which was listed before it.`
      )
  )
}

function mayBeCalledAlike(one: Tool, other: Tool): boolean {
  if (typeof one.name === 'string' && typeof other.name === 'string') return one.name === other.name
  const [names, others] = [beginningsOf(one), beginningsOf(other)]
  return (
    names === undefined ||
    others === undefined ||
    names.some(a => others.some(b => a.startsWith(b) || b.startsWith(a)))
  )
}

/** How the names begin that a tool may have; undefined: in any way. Long ones are cut (`features/connections/mcp/mcp-tools.ts`). */
function beginningsOf({ name, mcp }: Tool): string[] | undefined {
  if (typeof name === 'string') return [name]
  if (typeof mcp === 'string') return [`${mcp}__`.slice(0, 50), `connect_${mcp}`.slice(0, 50)]
}
