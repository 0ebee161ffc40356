import type { ViewBlock } from '@waystation/protocol/plugin/plugin-view.ts'
import { textAt } from './attributes.ts'

/** The values that the user entered, by field. */
export type Values = Record<string, string | boolean>

/** The JSON that a form or button sends. */
export type Body = Record<string, string | number | boolean | null>

/**
 * Returns the JSON that a form sends: a field of type `number` is a number, or null if it is empty. `faults` has an
 * error for each field that a user must correct first.
 */
export function bodyOf(
  fields: readonly ViewBlock[],
  values: Values
): { body: Body; faults: Record<string, string> } {
  const body: Body = { ...values }
  const faults: Record<string, string> = {}
  for (const field of fields) {
    const name = nameOf(field)
    const value = values[name]
    if (typeof value !== 'string') continue
    const text = value.trim()
    if (isRequired(field) && text === '') faults[name] = 'This field is required.'
    else if (textAt(field.attributes, 'type') !== 'number') continue
    else if (text === '') body[name] = null
    else if (Number.isFinite(Number(text))) body[name] = Number(text)
    else faults[name] = 'Enter a number.'
  }
  return { body, faults }
}

export const isRequired = ({ attributes }: ViewBlock): boolean => textAt(attributes, 'required') === 'true'

export const nameOf = ({ labels }: ViewBlock): string => labels[0] ?? ''
