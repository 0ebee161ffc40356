import { createHmac, randomBytes } from 'node:crypto'

/** Generates the token of an invite link: 32 random bytes. The database stores only its SHA-256 (`key-secret.ts`). */
export const newInviteToken = (): string => randomBytes(32).toString('base64url')

/**
 * Derives the token of a claim link from its ID and the server's secret. Each start can print the same link, and no
 * copy is stored.
 */
export const claimToken = (authSecret: string, inviteId: string): string =>
  createHmac('sha256', authSecret).update(`claim:${inviteId}`).digest('base64url')

/** Returns the URL of a token's invite page. */
export const joinUrl = (origin: string, token: string): string => `${origin}/join/${token}`
