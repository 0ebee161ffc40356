import { openapi } from '#lib/http/openapi.ts'
import { operations } from '#lib/http/operations/all.ts'
import { serverOperations } from '#lib/http/operations/server.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(serverOperations.openapi, async ctx => openapi(operations, ctx.ports.origin))
