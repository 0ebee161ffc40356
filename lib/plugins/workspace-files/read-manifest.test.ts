import { expect, onTestFinished, test } from 'vitest'
import { patternsWith } from '#lib/features/approvals/patterns.ts'
import { checkPatterns } from './check-patterns.ts'
import { readManifest } from './read-manifest.ts'

const start = 'plugin "p" {\n  version = "1"\n  description = "d"\n  author = "a"\n  type = "remote"\n'
const manifest = (...schema: string[]) => `${start}  config_schema {\n${schema.join('\n')}\n  }\n}`

test('003-3, 003-5: the fields of a manifest are parsed in order, with everything that a form needs', () => {
  const text = `
plugin "weather" {
  version     = "1.2.0"
  description = "Says what the sky does"
  author      = "Ann"
  icon        = "cloud"
  type        = "local"
  config_schema {
    field "unit" {
      type    = "string"
      options = ["celsius", "kelvin"]
      default = "celsius"
    }
    field "api_key_env" {
      type        = "string"
      required    = true
      description = "The name of a variable"
      pattern     = "^[A-Z_]+$"
      placeholder = "WEATHER_KEY"
    }
    field "max_retries" {
      type    = "number"
      default = "3"
    }
    field "debug" {
      type    = "bool"
      default = "false"
    }
    field "place" {
      type       = "string"
      api_source = "https://places.example.com/options"
    }
    field "shape" {
      type    = "string"
      ui_type = "radio"
      options = ["short", "long"]
    }
  }
}`
  const { manifest, patterns } = readManifest(text)
  expect(manifest).toEqual({
    name: 'weather',
    version: '1.2.0',
    description: 'Says what the sky does',
    author: 'Ann',
    icon: 'cloud',
    type: 'local',
    fields: [
      {
        name: 'unit',
        type: 'string',
        uiType: 'select',
        required: false,
        default: 'celsius',
        options: ['celsius', 'kelvin']
      },
      {
        name: 'api_key_env',
        type: 'string',
        uiType: 'text',
        required: true,
        description: 'The name of a variable',
        pattern: '^[A-Z_]+$',
        placeholder: 'WEATHER_KEY'
      },
      { name: 'max_retries', type: 'number', uiType: 'number', required: false, default: '3' },
      { name: 'debug', type: 'bool', uiType: 'checkbox', required: false, default: 'false' },
      {
        name: 'place',
        type: 'string',
        uiType: 'select',
        required: false,
        apiSource: 'https://places.example.com/options'
      },
      { name: 'shape', type: 'string', uiType: 'radio', required: false, options: ['short', 'long'] }
    ]
  })
  expect(patterns).toEqual([{ value: '^[A-Z_]+$', line: 18, column: 21 }])
})

test('003-3: a manifest without settings has no fields', () => {
  expect(readManifest(`${start}}`).manifest).toMatchObject({ name: 'p', type: 'remote', fields: [] })
})

test('003-5: patterns that cannot be matched in linear time are rejected with their line', async () => {
  const { errorsOf, stop } = patternsWith()
  onTestFinished(stop)
  const patterned = (pattern: string) =>
    readManifest(manifest('field "f" {', 'type = "string"', `pattern = "${pattern}"`, '}')).patterns
  await checkPatterns(patterned('^[a-z]+$'), errorsOf)
  await checkPatterns([], () => Promise.reject(new Error('Nothing was to be asked.')))
  await expect(checkPatterns(patterned('(?=a)b'), errorsOf)).rejects.toMatchObject({ line: 9, column: 11 })
  await expect(checkPatterns(patterned('(a'), errorsOf)).rejects.toMatchObject({ line: 9, column: 11 })
  await expect(checkPatterns(patterned('a'), async () => undefined)).rejects.toMatchObject({
    line: 9
  })
})

test('003-5: a default can be a number or a bool, and options can have labels', () => {
  const { manifest: read } = readManifest(
    manifest(
      'field "retries" {',
      'type = "number"',
      'default = 3',
      '}',
      'field "debug" {',
      'type = "bool"',
      'default = false',
      '}',
      'field "unit" {',
      'type = "string"',
      'options = [{ value = "c", label = "Celsius" }, "kelvin"]',
      '}'
    )
  )
  expect(read.fields).toMatchObject([
    { name: 'retries', default: '3' },
    { name: 'debug', default: 'false' },
    { name: 'unit', uiType: 'select', options: ['c', 'kelvin'], optionLabels: { c: 'Celsius' } }
  ])
})
