import { bind } from '#lib/http/endpoint.ts'
import { hostedPluginOperations } from '#lib/http/operations/hosted-plugins.ts'
import { route } from '#lib/http/route.ts'
import { getGrpcPlugin, listGrpcPlugins, listProtos, restartGrpcPlugin } from '#lib/plugins/hosted.ts'

export const hostedPluginEndpoints = bind(hostedPluginOperations, {
  list: operation => route(operation, listGrpcPlugins),
  get: operation => route(operation, getGrpcPlugin),
  restart: operation => route(operation, restartGrpcPlugin),
  protos: operation => route(operation, listProtos)
})
