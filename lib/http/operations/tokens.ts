import { z } from 'zod'
import { CreatedToken, CreateToken } from '#lib/auth/create-token.ts'
import { ListTokens, SessionToken } from '#lib/auth/list-tokens.ts'
import { RevokeToken } from '#lib/auth/revoke-token.ts'
import { operation } from '#lib/http/operation.ts'

export const tokenOperations = {
  list: operation({
    id: 'listTokens',
    method: 'GET',
    path: '/api/sessions/{sessionId}/tokens',
    summary: 'The tokens that open this session now, without their secrets, newest first',
    actor: 'user',
    scope: 'edit',
    input: ListTokens,
    answer: z.object({ tokens: z.array(SessionToken) }),
    refusals: ['NOT_FOUND']
  }),
  create: operation({
    id: 'createToken',
    method: 'POST',
    path: '/api/sessions/{sessionId}/tokens',
    summary: 'A token that opens this one session to an end user; it is in this answer and nowhere else',
    actor: 'user',
    scope: 'edit',
    input: CreateToken,
    answer: CreatedToken,
    status: 201,
    refusals: ['NOT_FOUND']
  }),
  revoke: operation({
    id: 'revokeToken',
    method: 'DELETE',
    path: '/api/sessions/{sessionId}/tokens/{tokenId}',
    summary: 'Ends a session token for good; streams that it opened end within 5 s',
    actor: 'user',
    scope: 'edit',
    input: RevokeToken,
    answer: z.object({ tokenId: z.string() }),
    refusals: ['NOT_FOUND']
  })
}
