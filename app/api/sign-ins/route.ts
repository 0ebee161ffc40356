import { endSignIns, listSignIns } from '#lib/auth/sign-ins.ts'
import { signInOperations } from '#lib/http/operations/sign-ins.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(signInOperations.list, listSignIns)
export const DELETE = route(signInOperations.endAll, endSignIns)
