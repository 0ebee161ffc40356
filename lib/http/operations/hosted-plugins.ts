import {
  AcceptPlugin,
  AddPlugin,
  ChangePlugin,
  InspectPlugin,
  PluginReview
} from '@waystation/protocol/plugin/added-plugin.ts'
import { InPlugin, PluginDetails, PluginStatus, ProtoFile } from '@waystation/protocol/plugin/plugin.ts'
import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'

export const hostedPluginOperations = {
  list: operation({
    id: 'listHostedPlugins',
    method: 'GET',
    path: '/api/plugins/hosted',
    summary: "List the workspace's gRPC plugins and their states",
    actor: 'user',
    scope: 'read',
    input: z.object({}),
    answer: z.object({ plugins: z.array(PluginStatus) })
  }),
  get: operation({
    id: 'getHostedPlugin',
    method: 'GET',
    path: '/api/plugins/hosted/{plugin}',
    summary: 'Get a gRPC plugin and its recent output',
    actor: 'user',
    scope: 'edit',
    input: InPlugin,
    answer: PluginDetails,
    errors: ['NOT_FOUND']
  }),
  restart: operation({
    id: 'restartHostedPlugin',
    method: 'POST',
    path: '/api/plugins/hosted/{plugin}/restart',
    summary: 'Restart a gRPC plugin, even one that failed',
    actor: 'user',
    scope: 'edit',
    input: InPlugin,
    answer: PluginDetails,
    errors: ['NOT_FOUND', 'CONFLICT']
  }),
  protos: operation({
    id: 'listProtos',
    method: 'GET',
    path: '/api/plugins/protos',
    summary: 'Get the `.proto` files of the gRPC plugin contract',
    actor: 'public',
    input: z.object({}),
    answer: z.object({ files: z.array(ProtoFile) })
  })
}

const byOwners = { actor: 'user', scope: 'own' } as const

/** Plugins that owners add by their address (003-3). */
export const addedPluginOperations = {
  inspect: operation({
    id: 'inspectPlugin',
    method: 'POST',
    path: '/api/plugins/inspect',
    summary: 'Read what the gRPC plugin at an address provides, without adding it',
    ...byOwners,
    input: InspectPlugin,
    answer: PluginReview,
    errors: ['UNAVAILABLE']
  }),
  add: operation({
    id: 'addPlugin',
    method: 'POST',
    path: '/api/plugins/added',
    summary: 'Add a gRPC plugin by its address, as it was reviewed',
    ...byOwners,
    input: AddPlugin,
    answer: PluginDetails,
    status: 201,
    errors: ['CONFLICT', 'UNAVAILABLE']
  }),
  change: operation({
    id: 'changePlugin',
    method: 'PATCH',
    path: '/api/plugins/added/{plugin}',
    summary: 'Change the address of an added plugin, or disable or enable it',
    ...byOwners,
    input: ChangePlugin,
    answer: PluginDetails,
    errors: ['NOT_FOUND']
  }),
  remove: operation({
    id: 'removePlugin',
    method: 'DELETE',
    path: '/api/plugins/added/{plugin}',
    summary: 'Remove an added plugin and its saved settings',
    ...byOwners,
    input: InPlugin,
    answer: InPlugin,
    errors: ['NOT_FOUND']
  }),
  review: operation({
    id: 'inspectAddedPlugin',
    method: 'POST',
    path: '/api/plugins/added/{plugin}/inspect',
    summary: 'Read again what an added plugin provides',
    ...byOwners,
    input: InPlugin,
    answer: PluginReview,
    errors: ['NOT_FOUND', 'UNAVAILABLE']
  }),
  accept: operation({
    id: 'acceptPlugin',
    method: 'PUT',
    path: '/api/plugins/added/{plugin}/accepted',
    summary: 'Accept what an added plugin provides now',
    ...byOwners,
    input: AcceptPlugin,
    answer: PluginDetails,
    errors: ['NOT_FOUND', 'CONFLICT', 'UNAVAILABLE']
  })
}
