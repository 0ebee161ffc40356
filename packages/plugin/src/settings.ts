import { PluginError } from './plugin-error.ts'

/** A setting of the plugin, shown as a field of its form. See the table of attributes in docs/plugins-grpc.md. */
export type SettingField = {
  type: 'string' | 'number' | 'bool'
  description?: string
  required?: boolean
  default?: string | number | boolean
  /** The permitted values. The form shows a label instead of its value. */
  options?: readonly (string | { readonly value: string; readonly label?: string })[]
  ui_type?: 'text' | 'number' | 'checkbox' | 'radio' | 'select'
  pattern?: string
  placeholder?: string
  api_source?: string
}
export type SettingFields = Readonly<Record<string, SettingField>>

type Value<F extends SettingField> = F['type'] extends 'number'
  ? number
  : F['type'] extends 'bool'
    ? boolean
    : F extends { options: readonly (infer Option)[] }
      ? Option extends { value: infer Text }
        ? Text
        : Option
      : string

/** The values of settings. One that is neither required nor has a default can be undefined. */
export type Settings<Fields extends SettingFields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends
    | { required: true }
    | { default: string | number | boolean }
    ? Value<Fields[Name]>
    : Value<Fields[Name]> | undefined
}

/**
 * Reads the texts of Register. Applies defaults. Throws `PluginError` with the setting's name, but without its value:
 * viewers see the error, and the value can be a secret of the workspace.
 */
export function readSettings<Fields extends SettingFields>(
  fields: Fields,
  config: Record<string, string>
): Settings<Fields> {
  const values = Object.entries(fields).map(([name, field]) => [name, readSetting(name, field, config[name])])
  return Object.fromEntries(values)
}

function readSetting(name: string, field: SettingField, given: string | undefined) {
  const invalid = (why: string) => new PluginError('INVALID_ARGUMENT', `The setting “${name}” ${why}.`)
  const text = given === undefined || given === '' ? field.default?.toString() : given
  if (text === undefined) {
    if (field.required) throw invalid('has no value. Set it in the plugin’s form or in the workspace file')
    return undefined
  }
  const options = field.options?.map(option => (typeof option === 'string' ? option : option.value))
  if (options && !options.includes(text))
    throw invalid(`has an unknown value. Use one of: ${options.join(', ')}`)
  if (field.type === 'string') return text
  if (field.type === 'bool') {
    if (text !== 'true' && text !== 'false') throw invalid('is neither true nor false')
    return text === 'true'
  }
  const number = Number(text)
  if (text.trim() === '' || Number.isNaN(number)) throw invalid('is not a number')
  return number
}
