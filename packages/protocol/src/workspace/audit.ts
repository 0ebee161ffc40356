import { decimal } from '@waystation/protocol/decimal.ts'
import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'

/**
 * An entry of the audit log. It stays when its session is deleted.
 * - `message.injected`: an external sender added a message. `credential` is its proof: `link`, `signature` or `key
 *   <keyId>`.
 * - `call.denied`, `call.allowed`: a tool rule (`rule`) decided a call. `pattern` is the one that matched.
 * - `grant.made`, `call.granted`, `grant.revoked`: a user remembered an approval, it was applied to a call (`grant
 *   <grantId>`), or it was revoked.
 * - `turn.rerun`, `turn.edit`, `turn.delete`, `session.branched`: a user changed the history (`hand`). `messageId` is
 *   the turn's first message.
 * - `mcp.tool-changed`: a user accepted a new definition of an MCP server's tool, with a call or outside of sessions.
 *   `credential` is how the request arrived: `page`, `api` or the answer's `via`.
 * - `link-secret.rotated`: the workspace's link secret was rotated. Outside of sessions, `sessionId` is empty.
 */
export const AuditEntry = z.object({
  id: z.int(),
  at: Time,
  sessionId: z.string(),
  action: z.enum([
    'message.injected',
    'call.denied',
    'call.allowed',
    'call.granted',
    'grant.made',
    'grant.revoked',
    'turn.rerun',
    'turn.edit',
    'turn.delete',
    'session.branched',
    'mcp.tool-changed',
    'link-secret.rotated'
  ]),
  actor: z.string(),
  credential: z.string(),
  messageId: z.string(),
  toolCallId: z.string().nullable(),
  toolName: z.string().nullable(),
  pattern: z.string().nullable()
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** Newest first, 200 per page. `before` is the ID of the last entry of the previous page. */
export const ListAudit = z.object({
  sessionId: z.string().max(128).optional(),
  before: decimal(z.int().min(1)).optional()
})
export type ListAudit = z.infer<typeof ListAudit>

export const AuditPage = z.object({ entries: z.array(AuditEntry), nextBefore: z.int().nullable() })
export type AuditPage = z.infer<typeof AuditPage>
