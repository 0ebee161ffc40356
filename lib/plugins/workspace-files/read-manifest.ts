import {
  type Block,
  blockOf,
  HclError,
  type Located,
  oneOf,
  parseHcl,
  readBlock,
  type Scope,
  scopeWith,
  shown,
  unique
} from '#packages/hcl/src/index.ts'

const types = ['string', 'number', 'bool'] as const
/** The most fields of a form: each may have a pattern, and all of those are checked together. */
const mostFields = 200
const uiTypes = ['text', 'number', 'checkbox', 'radio', 'select'] as const

/** A setting of a plugin, as a form asks for it. `default` is a string, also of a number (`"3"`) and a bool (`"false"`). */
export type ManifestField = {
  name: string
  type: (typeof types)[number]
  uiType: (typeof uiTypes)[number]
  required: boolean
  default?: string
  description?: string
  options?: string[]
  pattern?: string
  placeholder?: string
  apiSource?: string
}

export type Manifest = {
  name: string
  version: string
  description: string
  author: string
  icon?: string
  /** `local`: a program that the server starts; `remote`: one that serves at an address. */
  type: 'local' | 'remote'
  fields: ManifestField[]
}

/**
 * A plugin's manifest (003-3, 003-5), and where its patterns are: `checkPatterns` says whether they can be used.
 * @throws HclError
 */
export function readManifest(text: string): { manifest: Manifest; patterns: Located<string>[] } {
  const scope = scopeWith()
  const file = parseHcl(text)
  const plugin = blockOf(readBlock(file, { blocks: { plugin: 'one' } }, scope).blocks, 'plugin')
  if (!plugin) throw new HclError(file, 'a manifest needs a plugin block: write plugin "name" { … }')
  const { labels, values, blocks } = readBlock(
    plugin,
    {
      labels: ['name'],
      attributes: {
        version: 'string',
        description: 'string',
        author: 'string',
        icon: 'string?',
        type: 'string'
      },
      blocks: { config_schema: 'one' }
    },
    scope
  )
  const schema = blockOf(blocks, 'config_schema')
  const inside = schema ? readBlock(schema, { blocks: { field: 'many' } }, scope).blocks : []
  const extra = inside[mostFields]
  if (extra) throw new HclError(extra, `a plugin can have at most ${mostFields} fields: remove some`)
  const seen = unique('field')
  const fields = inside.map(field => readField(field, seen, scope))
  const manifest: Manifest = {
    name: labels[0]!,
    version: values.version.value,
    description: values.description.value,
    author: values.author.value,
    ...(values.icon && { icon: values.icon.value }),
    type: oneOf(['local', 'remote'], values.type, "a plugin's type"),
    fields: fields.map(({ field }) => field)
  }
  return { manifest, patterns: fields.flatMap(({ pattern }) => pattern ?? []) }
}

function readField(block: Block, seen: (block: Block) => string, scope: Scope) {
  const name = seen(block)
  const { values } = readBlock(
    block,
    {
      labels: ['name'],
      attributes: {
        type: 'string',
        ui_type: 'string?',
        required: 'bool?',
        default: 'string?',
        description: 'string?',
        options: 'strings?',
        pattern: 'string?',
        placeholder: 'string?',
        api_source: 'string?'
      }
    },
    scope
  )
  const { default: preset, description, options, pattern, placeholder, api_source: source } = values
  const type = oneOf(types, values.type, "a field's type")
  const field: ManifestField = {
    name,
    type,
    uiType: values.ui_type
      ? oneOf(uiTypes, values.ui_type, "a field's ui_type")
      : derived(type, options, source),
    required: values.required?.value ?? false,
    ...(preset && { default: preset.value }),
    ...(description && { description: description.value }),
    ...(options && { options: options.value.map(({ value }) => value) }),
    ...(pattern && { pattern: pattern.value }),
    ...(placeholder && { placeholder: placeholder.value }),
    ...(source && { apiSource: webAddress(source) })
  }
  if (values.ui_type) checkChoices(field, values.ui_type)
  if (preset) checkDefault(field, preset)
  return { field, pattern }
}

/** How a field is asked for that does not say it: by its type, and from a list where there is one. */
function derived(type: ManifestField['type'], options: unknown, source: unknown): ManifestField['uiType'] {
  if (options || source) return 'select'
  return type === 'string' ? 'text' : type === 'number' ? 'number' : 'checkbox'
}

function checkChoices({ uiType, type, options, apiSource }: ManifestField, at: Located<string>): void {
  if (type === 'bool' || options || (uiType === 'select' && apiSource)) return
  if (uiType === 'radio')
    throw new HclError(at, 'a radio field needs options: write options = ["one", "other"]')
  if (uiType === 'select') throw new HclError(at, 'a select field needs options or an api_source')
}

function checkDefault({ type, options }: ManifestField, preset: Located<string>): void {
  const { value } = preset
  if (type === 'number' && !/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value))
    throw new HclError(preset, `${shown(value)} is not a number: write the default like "3"`)
  if (type === 'bool' && value !== 'true' && value !== 'false')
    throw new HclError(preset, `${shown(value)} is not a bool: use "true" or "false"`)
  if (options && !options.includes(value))
    throw new HclError(
      preset,
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
