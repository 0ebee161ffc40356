import { listMembers } from '#lib/auth/list-members.ts'
import { memberOperations } from '#lib/http/operations/members.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(memberOperations.list, listMembers)
