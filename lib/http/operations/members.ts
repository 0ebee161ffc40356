import { z } from 'zod'
import {
  ChangeRole,
  CreatedInvite,
  CreateInvite,
  InMember,
  Invite,
  ListInvites,
  ListMembers,
  Member,
  RevokeInvite
} from '#lib/auth/members/member.ts'
import { operation } from '#lib/http/operation.ts'

export const memberOperations = {
  list: operation({
    id: 'listMembers',
    method: 'GET',
    path: '/api/members',
    summary: 'List members and their roles',
    actor: 'user',
    scope: 'read',
    input: ListMembers,
    answer: z.object({ members: z.array(Member) })
  }),
  invites: operation({
    id: 'listInvites',
    method: 'GET',
    path: '/api/members/invites',
    summary: 'List active invite links, without their secrets',
    actor: 'user',
    scope: 'own',
    input: ListInvites,
    answer: z.object({ invites: z.array(Invite) })
  }),
  invite: operation({
    id: 'createInvite',
    method: 'POST',
    path: '/api/members/invites',
    summary: 'Create an invite link for one person; `url` is returned only once',
    actor: 'user',
    scope: 'own',
    input: CreateInvite,
    answer: CreatedInvite,
    status: 201,
    errors: ['CONFLICT']
  }),
  revoke: operation({
    id: 'revokeInvite',
    method: 'DELETE',
    path: '/api/members/invites/{inviteId}',
    summary: 'Revoke an unused invite link',
    actor: 'user',
    scope: 'own',
    input: RevokeInvite,
    answer: z.object({ id: z.string() }),
    errors: ['NOT_FOUND']
  }),
  changeRole: operation({
    id: 'changeRole',
    method: 'PUT',
    path: '/api/members/{userId}',
    summary: "Change a member's role; the last owner stays owner (`CONFLICT`)",
    actor: 'user',
    scope: 'own',
    input: ChangeRole,
    answer: Member,
    errors: ['NOT_FOUND', 'CONFLICT']
  }),
  remove: operation({
    id: 'removeMember',
    method: 'DELETE',
    path: '/api/members/{userId}',
    summary: 'Remove a member (owners only), or leave the workspace',
    actor: 'user',
    scope: 'read',
    input: InMember,
    answer: z.object({ userId: z.string() }),
    errors: ['NOT_FOUND', 'CONFLICT']
  })
}
