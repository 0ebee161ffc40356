import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'
import {
  FindOptions,
  InWorkspace,
  PluginSettings,
  SaveSettings,
  SettingOption,
  SettingsSaved
} from '#lib/protocol/plugin-settings.ts'

export const pluginSettingsOperations = {
  list: operation({
    id: 'listPluginSettings',
    method: 'GET',
    path: '/api/v1/workspaces/{workspaceId}/settings',
    summary:
      'The settings of each plugin: what its manifest asks for, what is saved, and which of them the file has',
    actor: 'user',
    scope: 'edit',
    input: InWorkspace,
    answer: z.array(PluginSettings),
    refusals: ['NOT_FOUND']
  }),
  save: operation({
    id: 'savePluginSettings',
    method: 'PUT',
    path: '/api/v1/workspaces/{workspaceId}/settings/{plugin}',
    summary: 'Saves all settings of a plugin, which registers anew with them',
    actor: 'user',
    scope: 'own',
    input: SaveSettings,
    answer: SettingsSaved,
    refusals: ['NOT_FOUND', 'UNAVAILABLE']
  }),
  options: operation({
    id: 'findSettingOptions',
    method: 'GET',
    path: '/api/v1/workspaces/{workspaceId}/settings/{plugin}/options/{field}',
    summary: 'What a field may be set to, as the address that its manifest names answers',
    actor: 'user',
    scope: 'edit',
    input: FindOptions,
    answer: z.array(SettingOption),
    refusals: ['NOT_FOUND', 'UNAVAILABLE']
  })
}
