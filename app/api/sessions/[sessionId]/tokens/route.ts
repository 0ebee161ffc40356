import { createToken } from '#lib/auth/create-token.ts'
import { listTokens } from '#lib/auth/list-tokens.ts'
import { tokenOperations } from '#lib/http/operations/tokens.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(tokenOperations.list, listTokens)
export const POST = route(tokenOperations.create, createToken)
