import { createInvite } from '#lib/auth/create-invite.ts'
import { listInvites } from '#lib/auth/list-invites.ts'
import { memberOperations } from '#lib/http/operations/members.ts'
import { route } from '#lib/http/route.ts'

export const GET = route(memberOperations.invites, listInvites)
export const POST = route(memberOperations.invite, createInvite)
