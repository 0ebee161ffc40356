import { endSignIn, endSignIns, listSignIns } from '#lib/auth/sign-in/sign-ins.ts'
import { bind } from '#lib/http/endpoint.ts'
import { signInOperations } from '#lib/http/operations/sign-ins.ts'
import { route } from '#lib/http/route.ts'

export const signInEndpoints = bind(signInOperations, {
  list: operation => route(operation, listSignIns),
  endAll: operation => route(operation, endSignIns),
  end: operation => route(operation, endSignIn)
})
