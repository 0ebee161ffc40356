import { z } from 'zod'
import { operation } from '#lib/http/operation.ts'
import { InPlugin, PluginDetails, PluginStatus, ProtoFile } from '#lib/protocol/plugin.ts'

export const hostedPluginOperations = {
  list: operation({
    id: 'listHostedPlugins',
    method: 'GET',
    path: '/api/plugins/hosted',
    summary: 'The workspace’s plugins in other languages, and how each stands',
    actor: 'user',
    scope: 'read',
    input: z.object({}),
    answer: z.object({ plugins: z.array(PluginStatus) })
  }),
  get: operation({
    id: 'getHostedPlugin',
    method: 'GET',
    path: '/api/plugins/hosted/{plugin}',
    summary: 'A plugin in another language, with what it wrote last',
    actor: 'user',
    scope: 'edit',
    input: InPlugin,
    answer: PluginDetails,
    refusals: ['NOT_FOUND']
  }),
  restart: operation({
    id: 'restartHostedPlugin',
    method: 'POST',
    path: '/api/plugins/hosted/{plugin}/restart',
    summary: 'Starts a plugin in another language anew, also one that failed',
    actor: 'user',
    scope: 'edit',
    input: InPlugin,
    answer: PluginDetails,
    refusals: ['NOT_FOUND']
  }),
  protos: operation({
    id: 'listProtos',
    method: 'GET',
    path: '/api/plugins/protos',
    summary: 'The gRPC contract of plugins in other languages: its files, as text',
    actor: 'public',
    input: z.object({}),
    answer: z.object({ files: z.array(ProtoFile) })
  })
}
