import type { Ctx } from '#lib/kernel/ctx.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { laneOf } from '#lib/kernel/threads/lane-of.ts'
import type { JsonSchema } from '#lib/protocol/agent/agent.ts'
import { isJsonObject } from '#lib/protocol/json-object.ts'

/**
 * A value checked by a frozen schema. What the schema does not name is dropped (docs/concepts/engine.md#settle); a misfit names its fields. Throws
 * `503 UNAVAILABLE` when it could not be checked in time.
 */
export async function checkBy(
  ctx: Ctx,
  schema: JsonSchema | null,
  value: unknown
): Promise<{ ok: true; value: unknown } | { ok: false; fields: Record<string, string> }> {
  if (schema === null) return { ok: true, value }
  const checked = await ctx.ports.schemas.check(schema, value, laneOf(ctx))
  if (!checked.ok && checked.late)
    throw new Refusal(
      'UNAVAILABLE',
      'The value could not be validated in time, so nothing was changed. Send the request again.'
    )
  if (checked.ok) return { ok: true, value: named(schema, checked.value) }
  const { '': whole, ...fields } = checked.fields
  return { ok: false, fields: whole === undefined ? fields : { ...fields, output: whole } }
}

/** Drops what the schema has no name for, as deep as its `properties` and `items` say. */
function named(schema: JsonSchema, value: unknown): unknown {
  const properties = schema.properties as Record<string, JsonSchema> | undefined
  if (properties !== undefined && isJsonObject(value)) {
    const open = schema.additionalProperties === true || isJsonObject(schema.additionalProperties)
    const entries = Object.entries(value).filter(([key]) => open || Object.hasOwn(properties, key))
    return Object.fromEntries(
      entries.map(([key, item]) => [key, properties[key] === undefined ? item : named(properties[key], item)])
    )
  }
  if (isJsonObject(schema.items) && Array.isArray(value))
    return value.map(item => named(schema.items as JsonSchema, item))
  return value
}
