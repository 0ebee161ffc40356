import { z } from 'zod'
import { CreatedToken, CreateToken } from '#lib/auth/tokens/create-token.ts'
import { ListTokens, SessionToken } from '#lib/auth/tokens/list-tokens.ts'
import { RevokeToken } from '#lib/auth/tokens/revoke-token.ts'
import { operation } from '#lib/http/operation.ts'

export const tokenOperations = {
  list: operation({
    id: 'listTokens',
    method: 'GET',
    path: '/api/sessions/{sessionId}/tokens',
    summary: "List a session's active tokens, newest first, without their secrets",
    actor: 'user',
    scope: 'edit',
    input: ListTokens,
    answer: z.object({ tokens: z.array(SessionToken) }),
    errors: ['NOT_FOUND']
  }),
  create: operation({
    id: 'createToken',
    method: 'POST',
    path: '/api/sessions/{sessionId}/tokens',
    summary: 'Create a session token for an end user; it is returned once',
    actor: 'user',
    scope: 'edit',
    input: CreateToken,
    answer: CreatedToken,
    status: 201,
    errors: ['NOT_FOUND']
  }),
  revoke: operation({
    id: 'revokeToken',
    method: 'DELETE',
    path: '/api/sessions/{sessionId}/tokens/{tokenId}',
    summary: 'Revoke a session token',
    actor: 'user',
    scope: 'edit',
    input: RevokeToken,
    answer: z.object({ tokenId: z.string() }),
    errors: ['NOT_FOUND']
  })
}
