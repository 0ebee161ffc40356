import { changeRole } from '#lib/auth/change-role.ts'
import { removeMember } from '#lib/auth/remove-member.ts'
import { memberOperations } from '#lib/http/operations/members.ts'
import { route } from '#lib/http/route.ts'

export const PUT = route(memberOperations.changeRole, changeRole)
export const DELETE = route(memberOperations.remove, removeMember)
