import { z } from 'zod'
import { decimal } from '#lib/protocol/decimal.ts'
import { Time } from '#lib/protocol/time.ts'

/**
 * What somebody outside put into a session: by whom, and what proved it (`link`, `signature`, or `key <keyId>`). Or what a tool
 * rule denied or allowed in it (`rule`): which call, of which tool, by which pattern. Or which approval somebody had remembered,
 * let a call pass by (`grant <grantId>`) or took back. Or who ran a turn again, changed it, deleted it or branched the session
 * there (`hand`): the turn's first message. Or who accepted another definition of an MCP server's tool (`credential`: by which
 * door), with which call, or with none: then it was outside of sessions, and `sessionId` is empty. Or who rotated the workspace's
 * link secret, which is outside of sessions too. It stays when the session is deleted.
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

/** Newest first, 200 a page; `before` is the ID of the last one of the page before. */
export const ListAudit = z.object({
  sessionId: z.string().max(128).optional(),
  before: decimal(z.int().min(1)).optional()
})
export type ListAudit = z.infer<typeof ListAudit>

export const AuditPage = z.object({ entries: z.array(AuditEntry), nextBefore: z.int().nullable() })
export type AuditPage = z.infer<typeof AuditPage>
