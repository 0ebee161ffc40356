import { createHmac, randomBytes } from 'node:crypto'

/** What an invite link ends in: 32 random bytes, of which only the SHA-256 is kept (`key-secret.ts`). */
export const newInviteToken = (): string => randomBytes(32).toString('base64url')

/**
 * What a claim link ends in: derived from its ID with the server's own secret, so that each start can print the same one
 * and no copy of it is kept.
 */
export const claimToken = (authSecret: string, inviteId: string): string =>
  createHmac('sha256', authSecret).update(`claim:${inviteId}`).digest('base64url')

/** The link to a page that says what a token is good for. */
export const joinUrl = (origin: string, token: string): string => `${origin}/join/${token}`
