import { openapi } from '#lib/http/openapi.ts'
import { operations } from '#lib/http/operations/all.ts'
import { serverOperations } from '#lib/http/operations/server.ts'
import { route } from '#lib/http/route.ts'

/** Made once: the address is public, and making it takes some milliseconds. */
let reference: ReturnType<typeof openapi> | undefined

export const GET = route(serverOperations.openapi, async ctx => {
  reference ??= openapi(operations, ctx.ports.origin)
  return reference
})
