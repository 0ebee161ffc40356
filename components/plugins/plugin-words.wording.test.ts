import type { PluginStatus } from '@waystation/protocol/plugin/plugin.ts'
import { expect, test } from 'vitest'
import { makerOf, versionError } from './plugin-words.ts'

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
