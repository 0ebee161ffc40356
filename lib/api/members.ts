import { changeRole } from '#lib/auth/members/change-role.ts'
import { createInvite } from '#lib/auth/members/create-invite.ts'
import { listInvites } from '#lib/auth/members/list-invites.ts'
import { listMembers } from '#lib/auth/members/list-members.ts'
import { removeMember } from '#lib/auth/members/remove-member.ts'
import { revokeInvite } from '#lib/auth/members/revoke-invite.ts'
import { bind } from '#lib/http/endpoint.ts'
import { memberOperations } from '#lib/http/operations/members.ts'
import { route } from '#lib/http/route.ts'

export const memberEndpoints = bind(memberOperations, {
  list: operation => route(operation, listMembers),
  invites: operation => route(operation, listInvites),
  invite: operation => route(operation, createInvite),
  revoke: operation => route(operation, revokeInvite),
  changeRole: operation => route(operation, changeRole),
  remove: operation => route(operation, removeMember)
})
