import { localRoute } from '#lib/http/local-route.ts'

export const GET = localRoute
export const HEAD = localRoute
export const POST = localRoute
