import { invalid } from '@waystation/base/api-error.ts'
import type { Schemas } from './schemas.ts'

/** Checks that JSON Schemas can be used. Throws `INVALID_INPUT` with the path of each invalid schema in `fields`. */
export async function checkSchemas(
  schemas: Schemas,
  byPath: Readonly<Record<string, Record<string, unknown> | undefined>>,
  lane: string
): Promise<void> {
  const entries = Object.entries(byPath).flatMap(([path, schema]) =>
    schema === undefined ? [] : [[path, schema] as const]
  )
  if (entries.length === 0) return
  const errors = await schemas.errorsOf(
    entries.map(([, schema]) => schema),
    lane
  )
  const fields = Object.fromEntries(
    entries.flatMap(([path], index) => {
      const error = errors[index]
      return error === null || error === undefined ? [] : [[path, error] as const]
    })
  )
  const [first] = Object.entries(fields)
  if (first !== undefined) throw invalid(`${first.join(' ')}.`, fields)
}

/** Returns the schemas of tools by path, for `checkSchemas`. A list has the paths `<prefix>.<index>`. */
export const schemasOf = (
  tools: readonly object[] | Readonly<Record<string, object>>,
  prefix?: string
): Record<string, Record<string, unknown> | undefined> =>
  Object.fromEntries(
    Object.entries(tools).flatMap(([key, tool]) =>
      (['inputSchema', 'outputSchema'] as const).map(name => [
        `${prefix === undefined ? key : `${prefix}.${key}`}.${name}`,
        (tool as { [key in typeof name]?: Record<string, unknown> })[name]
      ])
    )
  )
