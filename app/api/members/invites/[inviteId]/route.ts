import { revokeInvite } from '#lib/auth/revoke-invite.ts'
import { memberOperations } from '#lib/http/operations/members.ts'
import { route } from '#lib/http/route.ts'

export const DELETE = route(memberOperations.revoke, revokeInvite)
