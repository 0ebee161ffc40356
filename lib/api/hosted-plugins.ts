import { bind } from '#lib/http/endpoint.ts'
import { addedPluginOperations, hostedPluginOperations } from '#lib/http/operations/hosted-plugins.ts'
import { route } from '#lib/http/route.ts'
import { acceptPlugin, addPlugin, changePlugin, removePlugin } from '#lib/plugins/added/added-plugins.ts'
import { inspectAddedPlugin, inspectPlugin } from '#lib/plugins/added/review.ts'
import { getGrpcPlugin, listGrpcPlugins, listProtos, restartGrpcPlugin } from '#lib/plugins/hosted.ts'

export const hostedPluginEndpoints = bind(hostedPluginOperations, {
  list: operation => route(operation, listGrpcPlugins),
  get: operation => route(operation, getGrpcPlugin),
  restart: operation => route(operation, restartGrpcPlugin),
  protos: operation => route(operation, listProtos)
})

export const addedPluginEndpoints = bind(addedPluginOperations, {
  inspect: operation => route(operation, inspectPlugin),
  add: operation => route(operation, addPlugin),
  change: operation => route(operation, changePlugin),
  remove: operation => route(operation, removePlugin),
  review: operation => route(operation, inspectAddedPlugin),
  accept: operation => route(operation, acceptPlugin)
})
