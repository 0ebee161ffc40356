import { z } from 'zod'

export const MemberRole = z.enum(['owner', 'editor', 'operator', 'viewer'])

/** A member of a workspace. `account` is how they sign in, which only owners see. Times are ISO 8601. */
export const Member = z.object({
  userId: z.string(),
  name: z.string(),
  role: MemberRole,
  joinedAt: z.iso.datetime(),
  account: z.object({ provider: z.string(), label: z.string() }).optional()
})
export type Member = z.infer<typeof Member>

export const ListMembers = z.object({})
export type ListMembers = z.infer<typeof ListMembers>

export const InMember = z.object({ userId: z.string().max(64) })
export type InMember = z.infer<typeof InMember>

export const ChangeRole = InMember.extend({ role: MemberRole })
export type ChangeRole = z.infer<typeof ChangeRole>

/** An invite link that is still valid, without its token. */
export const Invite = z.object({
  id: z.string(),
  role: MemberRole,
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime()
})
export type Invite = z.infer<typeof Invite>

const day = 86_400

/** The input of an invite. The link is valid for a minute to 30 days, by default a week. */
export const CreateInvite = z.strictObject({
  role: MemberRole,
  ttlSeconds: z
    .int()
    .min(60)
    .max(30 * day)
    .default(7 * day)
})
export type CreateInvite = z.infer<typeof CreateInvite>

/** `url` appears only in this answer. */
export const CreatedInvite = z.object({ id: z.string(), url: z.url(), expiresAt: z.iso.datetime() })
export type CreatedInvite = z.infer<typeof CreatedInvite>

export const ListInvites = z.object({})
export type ListInvites = z.infer<typeof ListInvites>

export const RevokeInvite = z.object({ inviteId: z.string().max(64) })
export type RevokeInvite = z.infer<typeof RevokeInvite>
