import { z } from 'zod'
import { EndSignIn, EndSignIns, ListedSignIn, ListSignIns } from '#lib/auth/sign-ins.ts'
import { operation } from '#lib/http/operation.ts'

export const signInOperations = {
  list: operation({
    id: 'listSignIns',
    method: 'GET',
    path: '/api/sign-ins',
    summary: 'Your own sign-ins that have not ended, newest first; an API key has none',
    actor: 'user',
    scope: 'read',
    input: ListSignIns,
    answer: z.object({ signIns: z.array(ListedSignIn) })
  }),
  endAll: operation({
    id: 'endSignIns',
    method: 'DELETE',
    path: '/api/sign-ins',
    summary: 'Ends all your sign-ins, or all others (`others=true`); open streams end within 5 s',
    actor: 'user',
    scope: 'read',
    input: EndSignIns,
    answer: z.object({ ended: z.number() })
  }),
  end: operation({
    id: 'endSignIn',
    method: 'DELETE',
    path: '/api/sign-ins/{signInId}',
    summary: 'Ends one of your sign-ins; open streams end within 5 s',
    actor: 'user',
    scope: 'read',
    input: EndSignIn,
    answer: z.object({ signInId: z.string() }),
    refusals: ['NOT_FOUND']
  })
}
