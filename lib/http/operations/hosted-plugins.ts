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
    errors: ['NOT_FOUND']
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
