import type { PluginStatus } from '@waystation/protocol/plugin/plugin.ts'
import { expect, test } from 'vitest'
import { givesOf, hintOf, makerOf, versionError } from './plugin-words.ts'

const about = { version: '1.0.0', description: 'Tells the weather.', author: 'Us', type: 'local' } as const
const plugin = { version: '1.1.0', wantedVersion: '1.0.0', about } as PluginStatus

test('the texts about a plugin name its author, its type and a wrong version', () => {
  expect(makerOf(plugin)).toBe('by Us (local program)')
  expect(makerOf({ ...plugin, about: { ...about, type: 'remote' } })).toBe('by Us (remote server)')
  expect(versionError(plugin)).toBe(
    'The workspace file requires version 1.0.0. Update the plugin or the file.'
  )
  expect(versionError({ ...plugin, version: '1.0.0' })).toBe('')
})

test('the number of tools and views of a plugin is absent while it is not running', () => {
  const stopped = { capabilities: ['tools', 'model', 'views'], tools: [], views: [] }
  expect(givesOf(stopped as unknown as PluginStatus)).toBe('tools, models and views')
  expect(givesOf({ ...stopped, tools: [{}], views: [{}, {}] } as unknown as PluginStatus)).toBe(
    '1 tool, models and 2 views'
  )
})

test('the description of a setting is a sentence of its own', () => {
  const field = { name: 'unit', description: 'The unit of the answer', default: 'celsius' }
  expect(hintOf(field, true)).toBe('The unit of the answer. Default: celsius.')
  expect(hintOf(field, false)).toBe('The unit of the answer')
  expect(hintOf({ name: 'key_env', description: 'Which key?' }, true)).toBe(
    'Which key? Enter the name of an environment variable, not the secret itself.'
  )
  expect(hintOf({ name: 'limit', default: '3' }, true)).toBe('Default: 3.')
})
