import { expect, test } from 'vitest'
import { readManifest } from './read-manifest.ts'

const start = 'plugin "p" {\n  version = "1"\n  description = "d"\n  author = "a"\n  type = "remote"\n'
const manifest = (...schema: string[]) => `${start}  config_schema {\n${schema.join('\n')}\n  }\n}`

/** Returns the error message for a manifest with one field, whose lines start at line 8. */
function errorFor(...lines: string[]): string {
  try {
    readManifest(manifest('field "f" {', ...lines, '}'))
    return 'read'
  } catch (error) {
    return (error as Error).message
  }
}

test('003-7: an invalid field is rejected with its line', () => {
  expect(errorFor('required = true')).toBe('7:1: field "f" needs "type": set type = …')
  expect(errorFor('type = "strng"')).toBe('8:8: a field\'s type cannot be "strng": did you mean "string"?')
  expect(errorFor('type = "string"', 'ui_type = "slider"')).toBe(
    '9:11: a field\'s ui_type cannot be "slider": use one of "text", "number", "checkbox", "radio", "select"'
  )
  expect(errorFor('type = "number"', 'default = [3]')).toBe(
    '9:11: "default" must be a string, a number or a bool, not a list'
  )
  expect(errorFor('type = "number"', 'default = "three"')).toBe(
    '9:11: "three" is not a number: write the default like "3"'
  )
  expect(errorFor('type = "bool"', 'default = "yes"')).toBe(
    '9:11: "yes" is not a bool: use "true" or "false"'
  )
  expect(errorFor('type = "string"', 'options = ["a"]', 'default = "b"')).toBe(
    '10:11: "b" is not one of the options: use "a"'
  )
  expect(errorFor('type = "string"', 'ui_type = "radio"')).toMatch(/^9:11: a radio field needs options/)
  expect(errorFor('type = "string"', 'ui_type = "select"')).toMatch(/^9:11: a select field needs options/)
  for (const options of ['"a"', '["a", ["b"]]', '[{ label = "A" }]'])
    expect(errorFor('type = "string"', `options = ${options}`)).toMatch(/^9:11: options must be a list/)
  for (const source of ['file:///etc/passwd', 'https://a:b@example.com', '/relative', 'javascript:1'])
    expect(errorFor('type = "string"', `api_source = "${source}"`)).toMatch(
      /^9:14: an api_source must be a URL/
    )
})

test('003-3: a manifest has exactly one plugin with all required attributes, and its field names are unique', () => {
  expect(() => readManifest('')).toThrow(/^1:1: a manifest needs a plugin block/)
  expect(() => readManifest('plugin "p" {\n}')).toThrow(/^1:1: plugin "p" needs "version"/)
  expect(() => readManifest(`${start}}\n${start}}`)).toThrow(
    /^7:1: this text can have only one block "plugin"/
  )
  expect(() => readManifest(start.replace('"remote"', '"hosted"').concat('}'))).toThrow(
    /^5:10: a plugin's type cannot be "hosted"/
  )
  const field = 'field "f" { type = "bool" }'
  expect(() => readManifest(manifest(field, field))).toThrow(/^8:7: field "f" is already defined at 7:7/)
  const fields = Array.from({ length: 201 }, (_, index) => `field "f${index}" { type = "bool" }`)
  expect(readManifest(manifest(...fields.slice(1))).manifest.fields).toHaveLength(200)
  expect(() => readManifest(manifest(...fields))).toThrow(/^207:1: a plugin can have at most 200 fields/)
})

test('003-3: unknown parts of a manifest are skipped with a warning', () => {
  const { warnings, manifest: read } = readManifest(
    `${start}  license = "MIT"\n  config_schema {\nunit = 1\nfield "f" {\ntype = "bool"\nrequird = true\n}\n  }\n}`
  )
  expect(read.fields).toMatchObject([{ name: 'f' }])
  expect(warnings).toEqual([
    expect.stringMatching(/^6:3: unknown attribute "license" in plugin "p"/),
    '8:1: unknown attribute "unit" in config_schema: remove it',
    '11:1: unknown attribute "requird" in field "f": did you mean "required"?'
  ])
})
