import {
  FindOptions,
  InWorkspace,
  PluginSettings,
  SaveSettings,
  SettingOption,
  SettingsSaved
} from '@waystation/protocol/plugin/plugin-settings.ts'
import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'

export const pluginSettingsOperations = {
  list: operation({
    id: 'listPluginSettings',
    method: 'GET',
    path: '/api/v1/workspaces/{workspaceId}/settings',
    summary: "List each plugin's settings: fields, saved values and fixed values",
    actor: 'user',
    scope: 'edit',
    input: InWorkspace,
    answer: z.array(PluginSettings),
    errors: ['NOT_FOUND']
  }),
  save: operation({
    id: 'savePluginSettings',
    method: 'PUT',
    path: '/api/v1/workspaces/{workspaceId}/settings/{plugin}',
    summary: 'Save all settings of a plugin, which then registers again',
    actor: 'user',
    scope: 'own',
    input: SaveSettings,
    answer: SettingsSaved,
    errors: ['NOT_FOUND', 'UNAVAILABLE']
  }),
  options: operation({
    id: 'findSettingOptions',
    method: 'GET',
    path: '/api/v1/workspaces/{workspaceId}/settings/{plugin}/options/{field}',
    summary: 'Find options for a plugin setting at its `api_source`',
    actor: 'user',
    scope: 'edit',
    input: FindOptions,
    answer: z.array(SettingOption),
    errors: ['NOT_FOUND', 'UNAVAILABLE']
  })
}
