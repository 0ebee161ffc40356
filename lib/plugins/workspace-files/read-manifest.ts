import {
  type Block,
  blockOf,
  HclError,
  type HclValue,
  isMap,
  type Located,
  oneOf,
  parseHcl,
  readBlock,
  type Scope,
  scopeWith,
  shown,
  unique
} from '@waystation/hcl'

const types = ['string', 'number', 'bool'] as const
/** The maximum number of fields, because the patterns of all fields are checked together. */
const maxFields = 200
const uiTypes = ['text', 'number', 'checkbox', 'radio', 'select'] as const

/**
 * A setting of a plugin, as its form shows it. `default` is a string even for a number (`"3"`) or a bool
 * (`"false"`).
 */
export type ManifestField = {
  name: string
  type: (typeof types)[number]
  uiType: (typeof uiTypes)[number]
  required: boolean
  default?: string
  description?: string
  options?: string[]
  /** Labels of options that have one, by their values. */
  optionLabels?: Record<string, string>
  pattern?: string
  placeholder?: string
  apiSource?: string
}

/** The attributes and blocks of a manifest. */
export const manifestShape = {
  labels: ['name'],
  attributes: {
    version: 'string',
    description: 'string',
    author: 'string',
    icon: 'string?',
    type: 'string'
  },
  blocks: { config_schema: 'one' }
} as const

/** The attributes of a setting in a manifest. */
export const fieldShape = {
  labels: ['name'],
  attributes: {
    type: 'string',
    ui_type: 'string?',
    required: 'bool?',
    default: 'text?',
    description: 'string?',
    options: 'any?',
    pattern: 'string?',
    placeholder: 'string?',
    api_source: 'string?'
  }
} as const

/** The parsed manifest of a plugin. */
export type Manifest = {
  name: string
  version: string
  description: string
  author: string
  icon?: string
  /** `local`: a program that the server starts. `remote`: a server at an address. */
  type: 'local' | 'remote'
  fields: ManifestField[]
}

/**
 * Parses a plugin's manifest (003-3, 003-5). Unknown attributes and blocks are skipped with a warning. The returned
 * patterns must still be checked with `checkPatterns`.
 * @throws HclError
 */
export function readManifest(text: string): {
  manifest: Manifest
  patterns: Located<string>[]
  warnings: string[]
} {
  const scope = scopeWith()
  const warnings: string[] = []
  const onUnknown = ({ message }: HclError) => void warnings.push(message)
  const file = parseHcl(text)
  const plugin = blockOf(readBlock(file, { blocks: { plugin: 'one' } }, scope).blocks, 'plugin')
  if (!plugin) throw new HclError(file, 'a manifest needs a plugin block: write plugin "name" { … }')
  const { labels, values, blocks } = readBlock(plugin, { ...manifestShape, onUnknown }, scope)
  const schema = blockOf(blocks, 'config_schema')
  const inside = schema ? readBlock(schema, { blocks: { field: 'many' }, onUnknown }, scope).blocks : []
  const extra = inside[maxFields]
  if (extra) throw new HclError(extra, `a plugin can have at most ${maxFields} fields: remove some`)
  const fieldName = unique('field')
  const fields = inside.map(field => readField(field, fieldName, { scope, onUnknown }))
  const manifest: Manifest = {
    name: labels[0]!,
    version: values.version.value,
    description: values.description.value,
    author: values.author.value,
    ...(values.icon && { icon: values.icon.value }),
    type: oneOf(['local', 'remote'], values.type, "a plugin's type"),
    fields: fields.map(({ field }) => field)
  }
  return { manifest, patterns: fields.flatMap(({ pattern }) => pattern ?? []), warnings }
}

type Reading = { scope: Scope; onUnknown: (problem: HclError) => void }

function readField(block: Block, fieldName: (block: Block) => string, { scope, onUnknown }: Reading) {
  const name = fieldName(block)
  const { values } = readBlock(block, { ...fieldShape, onUnknown }, scope)
  const { default: defaultValue, description, pattern, placeholder, api_source: source } = values
  const { options, optionLabels } = values.options ? readOptions(values.options) : {}
  const type = oneOf(types, values.type, "a field's type")
  const field: ManifestField = {
    name,
    type,
    uiType: values.ui_type
      ? oneOf(uiTypes, values.ui_type, "a field's ui_type")
      : defaultUiType(type, options, source),
    required: values.required?.value ?? false,
    ...(defaultValue && { default: defaultValue.value }),
    ...(description && { description: description.value }),
    ...(options && { options }),
    ...(optionLabels && { optionLabels }),
    ...(pattern && { pattern: pattern.value }),
    ...(placeholder && { placeholder: placeholder.value }),
    ...(source && { apiSource: webAddress(source) })
  }
  if (values.ui_type) checkChoices(field, values.ui_type)
  if (defaultValue) checkDefault(field, defaultValue)
  return { field, pattern }
}

/** Reads options: a list of texts, or of maps with `value` and an optional `label`. */
function readOptions(options: Located<HclValue>): Pick<ManifestField, 'options' | 'optionLabels'> {
  const problem = new HclError(
    options,
    'options must be a list: write ["one", "other"], or [{ value = "one", label = "One" }]'
  )
  if (!Array.isArray(options.value)) throw problem
  const text = (value: HclValue | undefined): string => {
    if (value === undefined || value === null || typeof value === 'object') throw problem
    return String(value)
  }
  const list = options.value.map(option =>
    isMap(option)
      ? { value: text(option.value), ...(option.label !== undefined && { label: text(option.label) }) }
      : { value: text(option) }
  )
  const labels = list.flatMap(({ value, label }) => (label === undefined ? [] : [[value, label] as const]))
  return {
    options: list.map(({ value }) => value),
    ...(labels.length > 0 && { optionLabels: Object.fromEntries(labels) })
  }
}

/**
 * Returns the form element for a field without `ui_type`: a list if it has options, otherwise based on its
 * type.
 */
function defaultUiType(
  type: ManifestField['type'],
  options: unknown,
  source: unknown
): ManifestField['uiType'] {
  if (options || source) return 'select'
  return type === 'string' ? 'text' : type === 'number' ? 'number' : 'checkbox'
}

function checkChoices({ uiType, type, options, apiSource }: ManifestField, position: Located<string>): void {
  if (type === 'bool' || options || (uiType === 'select' && apiSource)) return
  if (uiType === 'radio')
    throw new HclError(position, 'a radio field needs options: write options = ["one", "other"]')
  if (uiType === 'select') throw new HclError(position, 'a select field needs options or an api_source')
}

function checkDefault({ type, options }: ManifestField, defaultValue: Located<string>): void {
  const { value } = defaultValue
  if (type === 'number' && !/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value))
    throw new HclError(defaultValue, `${shown(value)} is not a number: write the default like "3"`)
  if (type === 'bool' && value !== 'true' && value !== 'false')
    throw new HclError(defaultValue, `${shown(value)} is not a bool: use "true" or "false"`)
  if (options && !options.includes(value))
    throw new HclError(
      defaultValue,
      `${shown(value)} is not one of the options: use ${options.map(shown).join(' or ')}`
    )
}

function webAddress(source: Located<string>): string {
  const url = URL.parse(source.value)
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return source.value
  throw new HclError(
    source,
    'an api_source must be a URL without credentials, like "https://example.com/options"'
  )
}
