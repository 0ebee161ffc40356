import { InSession } from '@waystation/protocol/session/session-id.ts'
import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'

/**
 * A remembered approval (001-15). Later calls of this tool skip approval if the tool's definition is unchanged.
 * - `holds`: in this session only, or always in the whole workspace
 * - `input`: only calls with exactly these arguments. Absent: any arguments
 * - `sessionId`, `toolCallId`: the call for which the approval was remembered
 */
export const Grant = z.object({
  grantId: z.string(),
  toolName: z.string(),
  holds: z.enum(['session', 'always']),
  input: z.unknown().optional(),
  grantedBy: z.string(),
  at: Time,
  sessionId: z.string(),
  toolCallId: z.string()
})
export type Grant = z.infer<typeof Grant>

/** Sorted by time, newest first. */
export const Grants = z.object({ grants: z.array(Grant) })
export type Grants = z.infer<typeof Grants>

export const ListGrants = z.object({})
export type ListGrants = z.infer<typeof ListGrants>

export const InGrant = z.object({ grantId: z.string().min(1).max(64) })
export type InGrant = z.infer<typeof InGrant>

export const InSessionGrant = InSession.extend(InGrant.shape)
export type InSessionGrant = z.infer<typeof InSessionGrant>

export const Revoked = z.object({ grantId: z.string() })
export type Revoked = z.infer<typeof Revoked>
