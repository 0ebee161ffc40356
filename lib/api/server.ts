import { bind } from '#lib/http/endpoint.ts'
import { openapi } from '#lib/http/openapi/openapi.ts'
import { operations } from '#lib/http/operations/all.ts'
import { serverOperations } from '#lib/http/operations/server.ts'
import { route } from '#lib/http/route.ts'
import { health } from './health.ts'
import { metrics } from './metrics.ts'

/** Built once, because the endpoint is public and building it takes a few milliseconds. */
let reference: ReturnType<typeof openapi> | undefined

export const serverEndpoints = bind(serverOperations, {
  health: () => health,
  metrics: () => metrics,
  openapi: operation =>
    route(operation, async ctx => {
      reference ??= openapi(operations, ctx.ports.origin)
      return reference
    })
})
