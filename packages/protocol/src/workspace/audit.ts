import { decimal } from '@waystation/protocol/decimal.ts'
import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'

/**
 * The event that an entry records.
 * - `message.injected`: an external sender added a message. `credential` is its proof: `link`, `signature` or `key
 *   <keyId>`.
 * - `call.opened`: an external agent asked people something (docs/external-agents.md#ask-people). `toolName` has the kind
 *   of request.
 * - `account.used`: an external agent sent a request with the account of its call. `toolName` has the method and host.
 * - `call.denied`, `call.allowed`: a tool rule (`rule`) decided a call. `pattern` is the one that matched.
 * - `grant.made`, `call.granted`, `grant.revoked`: a user remembered an approval, it was applied to a call (`grant
 *   <grantId>`), or it was revoked.
 * - `turn.rerun`, `turn.edit`, `turn.delete`, `session.branched`: a user changed the history (`hand`). `messageId` is
 *   the turn's first message.
 * - `mcp.tool-changed`: a user accepted a new definition of an MCP server's tool, with a call or outside of sessions.
 *   `credential` is how the request arrived: `page`, `api` or the answer's `via`.
 * - `catalogue.created`, `catalogue.changed`, `catalogue.archived`: a user saved or archived an entry of the catalog.
 *   `toolName` has the entry and its version, such as `greet@v2`.
 * - `wiki.changed`, `wiki.undone`: an agent changed a wiki with a call (`agent`), or a user undid such a change (`page` or
 *   `api`). `toolName` has the tool.
 * - `plugin.added`, `plugin.changed`, `plugin.accepted`, `plugin.removed`: an owner added a gRPC plugin by its address,
 *   changed it, accepted its new manifest or removed it. `toolName` has its name.
 * - `secret.saved`, `secret.removed`: an owner saved or removed a secret of the workspace. `toolName` has its name.
 * - `model.saved`, `model.removed`: an owner saved or removed a model provider of the workspace. `toolName` has its name.
 * - `link-secret.rotated`: the workspace's link secret was rotated.
 * - `workspace.created`, `workspace.renamed`: an owner created or renamed the workspace. Outside of sessions, `sessionId` is empty.
 */
export const AuditAction = z.enum([
  'message.injected',
  'call.opened',
  'account.used',
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
  'catalogue.created',
  'catalogue.changed',
  'catalogue.archived',
  'wiki.changed',
  'wiki.undone',
  'plugin.added',
  'plugin.changed',
  'plugin.accepted',
  'plugin.removed',
  'secret.saved',
  'secret.removed',
  'model.saved',
  'model.removed',
  'link-secret.rotated',
  'workspace.created',
  'workspace.renamed'
])
export type AuditAction = z.infer<typeof AuditAction>

/** An entry of the audit log. It stays when its session is deleted. */
export const AuditEntry = z.object({
  id: z.int(),
  at: Time,
  sessionId: z.string(),
  action: AuditAction,
  actor: z.string(),
  credential: z.string(),
  messageId: z.string(),
  toolCallId: z.string().nullable(),
  toolName: z.string().nullable(),
  pattern: z.string().nullable()
})
export type AuditEntry = z.infer<typeof AuditEntry>

/**
 * Newest first, 200 per page unless `limit` is set. `before` is the ID of the last entry of the previous page. The filters select entries of a session, of a
 * kind, and of actors whose name contains `actor`, regardless of case.
 */
export const ListAudit = z.object({
  sessionId: z.string().max(128).optional(),
  action: AuditAction.optional(),
  actor: z.string().max(200).optional(),
  before: decimal(z.int().min(1)).optional(),
  limit: decimal(z.int().min(1).max(200)).optional()
})
export type ListAudit = z.infer<typeof ListAudit>

/** An entry with the current title of its session. Null if the session was deleted, or the entry has none. */
export const ListedAuditEntry = AuditEntry.extend({ sessionTitle: z.string().nullable() })
export type ListedAuditEntry = z.infer<typeof ListedAuditEntry>

/** `nextBefore` is null on the last page. */
export const AuditPage = z.object({ entries: z.array(ListedAuditEntry), nextBefore: z.int().nullable() })
export type AuditPage = z.infer<typeof AuditPage>
