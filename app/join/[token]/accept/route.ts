import { acceptInvite } from '#lib/http/accept-invite.ts'

export const POST = acceptInvite
