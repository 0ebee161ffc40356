import { endSignIn } from '#lib/auth/sign-ins.ts'
import { signInOperations } from '#lib/http/operations/sign-ins.ts'
import { route } from '#lib/http/route.ts'

export const DELETE = route(signInOperations.end, endSignIn)
