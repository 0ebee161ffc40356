import { z } from 'zod'
import { EndSignIn, EndSignIns, ListedSignIn, ListSignIns } from '#lib/auth/sign-in/sign-ins.ts'
import { operation } from '#lib/http/operation.ts'

export const signInOperations = {
  list: operation({
    id: 'listSignIns',
    method: 'GET',
    path: '/api/sign-ins',
    summary: 'List your active sign-ins, newest first',
    actor: 'user',
    scope: 'read',
    input: ListSignIns,
    answer: z.object({ signIns: z.array(ListedSignIn) })
  }),
  endAll: operation({
    id: 'endSignIns',
    method: 'DELETE',
    path: '/api/sign-ins',
    summary: 'End all your sign-ins, or all others (`others=true`)',
    actor: 'user',
    scope: 'read',
    input: EndSignIns,
    answer: z.object({ ended: z.number() })
  }),
  end: operation({
    id: 'endSignIn',
    method: 'DELETE',
    path: '/api/sign-ins/{signInId}',
    summary: 'End one of your sign-ins',
    actor: 'user',
    scope: 'read',
    input: EndSignIn,
    answer: z.object({ signInId: z.string() }),
    errors: ['NOT_FOUND']
  })
}
