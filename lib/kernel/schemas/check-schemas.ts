import type { Ctx } from '#lib/kernel/ctx.ts'
import { invalid } from '#lib/kernel/refusal.ts'
import { laneOf } from '#lib/kernel/threads/lane-of.ts'

/** Refuses JSON Schemas that nothing can be checked by: `INVALID_INPUT` with each one's place among `fields`. */
export async function checkSchemas(
  ctx: Ctx,
  schemas: Readonly<Record<string, Record<string, unknown> | undefined>>
): Promise<void> {
  const given = Object.entries(schemas).flatMap(([place, schema]) =>
    schema === undefined ? [] : [[place, schema] as const]
  )
  if (given.length === 0) return
  const faults = await ctx.ports.schemas.faultsOf(
    given.map(([, schema]) => schema),
    laneOf(ctx)
  )
  const fields = Object.fromEntries(
    given.flatMap(([place], n) => {
      const fault = faults[n]
      return fault === null || fault === undefined ? [] : [[place, fault] as const]
    })
  )
  const [first] = Object.entries(fields)
  if (first !== undefined) throw invalid(`${first.join(' ')}.`, fields)
}

/** The schemas of tools by their places, for `checkSchemas`. */
export const schemasOf = (
  tools: readonly object[],
  at: string
): Record<string, Record<string, unknown> | undefined> =>
  Object.fromEntries(
    tools.flatMap((tool, index) =>
      (['inputSchema', 'outputSchema'] as const).map(name => [
        `${at}.${index}.${name}`,
        (tool as { [key in typeof name]?: Record<string, unknown> })[name]
      ])
    )
  )
