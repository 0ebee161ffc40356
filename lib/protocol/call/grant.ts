import { z } from 'zod'
import { commitRevisionTool } from '#lib/protocol/agent/own-config.ts'
import { InSession } from '#lib/protocol/session/session.ts'
import { Time } from '#lib/protocol/time.ts'
import { scriptTool } from './script.ts'

/**
 * An approval that was remembered (001-15): later calls of this tool, as it was then, are not asked about. `holds`: in its
 * session, or always, in the whole workspace. `input`: with these very arguments; absent: with any. `sessionId` and `toolCallId`
 * say at which call somebody said so.
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

/** Newest first. */
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

/** Tools whose calls are approved one by one, each on what it says: a change of the agent itself, and a script. */
const oneByOne = new Set([commitRevisionTool, scriptTool])

/** Whether an approval of this tool's calls may be remembered. */
export const isRememberable = (toolName: string): boolean => !oneByOne.has(toolName)
