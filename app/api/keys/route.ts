import { createKey } from '#lib/auth/create-key.ts'
import { listKeys } from '#lib/auth/list-keys.ts'
import { keyOperations } from '#lib/http/operations/keys.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(keyOperations.list, listKeys)
export const POST = route(keyOperations.create, createKey)
