import type { ElicitHint } from '@waystation/protocol/call/elicitation.ts'
import { isJsonObject } from '@waystation/protocol/json-object.ts'

/** A field of a form that an MCP server asks the user to complete (flat schema of MCP's "Elicitation"). */
export type ElicitField = {
  name: string
  label: string
  hint?: string
  required: boolean
  /** `long` is a text of several lines, for the arguments of a call. MCP servers ask for `text`. */
  kind: 'text' | 'long' | 'number' | 'boolean' | 'one' | 'many'
  /** The input type of a text field. */
  type: 'text' | 'email' | 'url' | 'date' | 'datetime-local'
  options: { value: string; label: string }[]
  start: FieldValue
}

/** The value of a field: a text, the state of a checkbox, or the selected options. */
export type FieldValue = string | boolean | string[]
export type Filled = Readonly<Record<string, FieldValue>>

const types: Record<string, ElicitField['type']> = {
  email: 'email',
  uri: 'url',
  date: 'date',
  'date-time': 'datetime-local'
}

/** Returns the fields of a form, in the server's order. */
export function fieldsOf({ schema, order }: Pick<ElicitHint, 'schema' | 'order'>): ElicitField[] {
  const required = Array.isArray(schema.required) ? schema.required : []
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  return order.flatMap(name => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!isJsonObject(property)) return []
    const options = optionsOf(property)
    const kind = kindOf(property, options.length > 0)
    const field: ElicitField = {
      name,
      label: typeof property.title === 'string' && property.title !== '' ? property.title : name,
      ...(typeof property.description === 'string' ? { hint: property.description } : {}),
      required: required.includes(name),
      kind,
      type: types[String(property.format)] ?? 'text',
      options,
      start: startOf(kind, property.default)
    }
    return [field]
  })
}

/**
 * Returns the completed form, or the errors by field. Empty fields are left out. Everything else is checked
 * by the server.
 */
export function filledIn(
  fields: readonly ElicitField[],
  filled: Filled
): { output: Record<string, unknown> } | { faults: Record<string, string> } {
  const output: Record<string, unknown> = {}
  const faults: Record<string, string> = {}
  for (const field of fields) {
    const value = filled[field.name] ?? field.start
    const isEmpty =
      typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0
    if (isEmpty) {
      if (field.required) faults[field.name] = 'This field is required.'
      continue
    }
    if (field.kind === 'number' && Number.isNaN(Number(value))) faults[field.name] = 'Enter a number.'
    else output[field.name] = sentOf(field, value)
  }
  return Object.keys(faults).length > 0 ? { faults } : { output }
}

function sentOf({ kind, type }: ElicitField, value: FieldValue): unknown {
  if (kind === 'number') return Number(value)
  // The input has no time zone, so the value is in the user's time zone.
  if (type === 'datetime-local' && typeof value === 'string') {
    const at = new Date(value)
    return Number.isNaN(at.getTime()) ? value : at.toISOString()
  }
  return value
}

function kindOf({ type }: Record<string, unknown>, hasOptions: boolean): ElicitField['kind'] {
  if (type === 'array') return 'many'
  if (type === 'boolean') return 'boolean'
  if (type === 'number' || type === 'integer') return 'number'
  return hasOptions ? 'one' : 'text'
}

function startOf(kind: ElicitField['kind'], given: unknown): FieldValue {
  if (kind === 'boolean') return given === true
  if (kind === 'many') return Array.isArray(given) ? given.map(String) : []
  return typeof given === 'string' || typeof given === 'number' ? String(given) : ''
}

/**
 * Returns the options of `enum` (with or without `enumNames`), of `oneOf` or `anyOf` (with `const` and
 * `title`), or of a list's items.
 */
function optionsOf(property: Record<string, unknown>): ElicitField['options'] {
  if (isJsonObject(property.items)) return optionsOf(property.items)
  const { enum: values, enumNames: names, oneOf, anyOf } = property
  if (Array.isArray(values))
    return values.map((value, at) => ({
      value: String(value),
      label: String((Array.isArray(names) ? names[at] : undefined) ?? value)
    }))
  const titled = [oneOf, anyOf].find(Array.isArray) ?? []
  return titled
    .filter(isJsonObject)
    .map(one => ({ value: String(one.const), label: String(one.title ?? one.const) }))
}
