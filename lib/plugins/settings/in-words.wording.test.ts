import type { SettingField } from '@waystation/protocol/plugin/plugin-settings.ts'
import { expect, test } from 'vitest'
import { validateSettings } from './validate-settings.ts'

test('invalid settings are reported by field', async () => {
  const field = (name: string, more: Partial<SettingField> = {}): SettingField => ({
    ...{ name, type: 'string', ui_type: 'text', required: false },
    ...more
  })
  const fields = [
    field('api_key', { required: true }),
    field('key_env'),
    field('unit', { options: ['c', 'f'] }),
    field('retries', { type: 'number' }),
    field('on', { type: 'bool' }),
    field('place', { pattern: '[a-z]+' }),
    field('debug')
  ]
  const values = {
    key_env: 'sk-1',
    unit: 'k',
    retries: 'x',
    on: 'maybe',
    place: '1',
    debug: 'y',
    colour: 'z'
  }
  const patterns = { find: async () => null, errorsOf: async () => [] }
  expect(await validateSettings(fields, values, { fixed: ['debug'], patterns })).toEqual({
    errors: {
      api_key: 'required',
      key_env: 'not the name of an environment variable',
      unit: 'not one of the options',
      retries: 'not a number',
      on: 'must be true or false',
      place: 'does not match the required pattern',
      debug: 'set by the workspace file',
      colour: 'unknown'
    }
  })
})
