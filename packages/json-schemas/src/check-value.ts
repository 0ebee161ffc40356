import { ApiError } from '@waystation/base/api-error.ts'
import type { JsonSchema } from '@waystation/protocol/agent/agent.ts'
import { isJsonObject } from '@waystation/protocol/json-object.ts'
import type { Schemas } from './schemas.ts'

/**
 * Checks a value against a frozen schema and drops fields that the schema does not name
 * (docs/concepts/engine.md#settle). A mismatch returns an error for each field. Throws `503 UNAVAILABLE` if
 * the check did not finish in time.
 */
export async function checkValue(
  schemas: Schemas,
  schema: JsonSchema | null,
  value: unknown,
  lane: string
): Promise<{ ok: true; value: unknown } | { ok: false; fields: Record<string, string> }> {
  if (schema === null) return { ok: true, value }
  const checked = await schemas.check(schema, value, lane)
  if (!checked.ok && checked.late)
    throw new ApiError(
      'UNAVAILABLE',
      'The value could not be validated in time, so nothing was changed. Send the request again.'
    )
  if (checked.ok) return { ok: true, value: onlyNamed(schema, checked.value) }
  const { '': wholeError, ...fields } = checked.fields
  return { ok: false, fields: wholeError === undefined ? fields : { ...fields, output: wholeError } }
}

/** Drops fields that the schema does not name, following its `properties` and `items`. */
function onlyNamed(schema: JsonSchema, value: unknown): unknown {
  const properties = schema.properties as Record<string, JsonSchema> | undefined
  if (properties !== undefined && isJsonObject(value)) {
    const allowsOthers = schema.additionalProperties === true || isJsonObject(schema.additionalProperties)
    const entries = Object.entries(value).filter(([key]) => allowsOthers || Object.hasOwn(properties, key))
    return Object.fromEntries(
      entries.map(([key, item]) => [
        key,
        properties[key] === undefined ? item : onlyNamed(properties[key], item)
      ])
    )
  }
  if (isJsonObject(schema.items) && Array.isArray(value))
    return value.map(item => onlyNamed(schema.items as JsonSchema, item))
  return value
}
