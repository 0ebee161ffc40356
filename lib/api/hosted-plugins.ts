import { bind } from '#lib/http/endpoint.ts'
import { hostedPluginOperations } from '#lib/http/operations/hosted-plugins.ts'
import { route } from '#lib/http/route.ts'
import { getHosted, listHosted, listProtos, restartHosted } from '#lib/plugins/hosted.ts'

export const hostedPluginEndpoints = bind(hostedPluginOperations, {
  list: operation => route(operation, listHosted),
  get: operation => route(operation, getHosted),
  restart: operation => route(operation, restartHosted),
  protos: operation => route(operation, listProtos)
})
