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
} from '#lib/auth/member.ts'
import { operation } from '#lib/http/operation.ts'

export const memberOperations = {
  list: operation({
    id: 'listMembers',
    method: 'GET',
    path: '/api/members',
    summary: 'Who belongs to the workspace, and as what',
    actor: 'user',
    scope: 'read',
    input: ListMembers,
    answer: z.object({ members: z.array(Member) })
  }),
  invites: operation({
    id: 'listInvites',
    method: 'GET',
    path: '/api/members/invites',
    summary: 'The invite links that can still be used, without their secrets',
    actor: 'user',
    scope: 'own',
    input: ListInvites,
    answer: z.object({ invites: z.array(Invite) })
  }),
  invite: operation({
    id: 'createInvite',
    method: 'POST',
    path: '/api/members/invites',
    summary: 'A link by which one person becomes a member; its `url` is in this answer and nowhere else',
    actor: 'user',
    scope: 'own',
    input: CreateInvite,
    answer: CreatedInvite,
    status: 201,
    refusals: ['CONFLICT']
  }),
  revoke: operation({
    id: 'revokeInvite',
    method: 'DELETE',
    path: '/api/members/invites/{inviteId}',
    summary: 'Ends an invite link that nobody has used',
    actor: 'user',
    scope: 'own',
    input: RevokeInvite,
    answer: z.object({ id: z.string() }),
    refusals: ['NOT_FOUND']
  }),
  changeRole: operation({
    id: 'changeRole',
    method: 'PUT',
    path: '/api/members/{userId}',
    summary: 'Gives a member another role; the last owner stays one (`CONFLICT`)',
    actor: 'user',
    scope: 'own',
    input: ChangeRole,
    answer: Member,
    refusals: ['NOT_FOUND', 'CONFLICT']
  }),
  remove: operation({
    id: 'removeMember',
    method: 'DELETE',
    path: '/api/members/{userId}',
    summary: 'Removes a member (owners), or leaves (anybody, for themselves); open streams end within 5 s',
    actor: 'user',
    scope: 'read',
    input: InMember,
    answer: z.object({ userId: z.string() }),
    refusals: ['NOT_FOUND', 'CONFLICT']
  })
}
