import type { SettingField } from '@waystation/protocol/plugin/plugin-settings.ts'
import type { Patterns } from '#lib/kernel/ctx.ts'

const number = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/
const variable = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * Validates settings and converts them to text, leaving out empty values (003-7). Returns the errors by field
 * if any value is invalid. A pattern must match the whole value. Values are not checked against the options of
 * `api_source`, because that list may have changed.
 */
export async function validateSettings(
  fields: readonly SettingField[],
  values: Record<string, string | number | boolean>,
  { fixed, patterns }: { fixed: readonly string[]; patterns: Patterns }
): Promise<{ settings: Record<string, string> } | { errors: Record<string, string> }> {
  const errors = new Map<string, string>()
  const settings = new Map<string, string>()
  for (const [name, value] of Object.entries(values)) {
    const text = String(value)
    const field = fields.find(field => field.name === name)
    const error =
      field === undefined
        ? 'unknown'
        : fixed.includes(name)
          ? 'set by the workspace file'
          : text === ''
            ? undefined
            : await errorOf(field, text, patterns)
    if (error !== undefined) errors.set(name, error)
    else if (text !== '') settings.set(name, text)
  }
  for (const { name, required, default: preset } of fields)
    if (required && !settings.has(name) && !errors.has(name) && preset === undefined && !fixed.includes(name))
      errors.set(name, 'required')
  return errors.size > 0 ? { errors: Object.fromEntries(errors) } : { settings: Object.fromEntries(settings) }
}

/** Returns the errors of settings by field. */
export async function settingErrors(
  patterns: Patterns,
  fields: readonly SettingField[],
  settings: Record<string, string>
): Promise<Record<string, string>> {
  const result = await validateSettings(fields, settings, { fixed: [], patterns })
  return 'errors' in result ? result.errors : {}
}

async function errorOf(
  { name, type, options, api_source: source, pattern }: SettingField,
  text: string,
  patterns: Patterns
): Promise<string | undefined> {
  if (type === 'number' && !number.test(text)) return 'not a number'
  if (type === 'bool' && text !== 'true' && text !== 'false') return 'must be true or false'
  if (options !== undefined && source === undefined && !options.includes(text))
    return 'not one of the options'
  if (name.endsWith('_env') && !variable.test(text)) return 'not the name of an environment variable'
  if (pattern === undefined) return undefined
  // Without the flag, patterns ignore case, as those of tool rules do.
  const match = await patterns.find([`^(?-i:${pattern})$`], text)
  if (match === undefined) return 'could not be checked against its pattern in time'
  return match === null ? 'does not match the required pattern' : undefined
}
