import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { route } from '#lib/http/route.ts'
import { branchSession } from '#lib/sessions/branch-session.ts'

export const POST = route(sessionOperations.branch, branchSession)
