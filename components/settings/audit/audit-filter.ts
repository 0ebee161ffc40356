import type { AuditAction } from '@waystation/protocol/workspace/audit.ts'

/** The events that the audit log records, in display order, with their names. */
export const auditEvents: Record<AuditAction, string> = {
  'message.injected': 'Reply from an external agent',
  'call.opened': 'Request of an external agent',
  'account.used': 'Account used by an external agent',
  'call.denied': 'Call denied by a rule',
  'call.allowed': 'Call allowed by a rule',
  'grant.made': 'Approval remembered',
  'call.granted': 'Remembered approval used',
  'grant.revoked': 'Remembered approval revoked',
  'turn.rerun': 'Turn run again',
  'turn.edit': 'Message edited',
  'turn.delete': 'Turn deleted',
  'session.branched': 'Session branched',
  'mcp.tool-changed': 'MCP tool accepted',
  'catalogue.created': 'Catalog entry created',
  'catalogue.changed': 'Catalog entry changed',
  'catalogue.archived': 'Catalog entry archived',
  'wiki.changed': 'Wiki changed by agent',
  'wiki.undone': 'Wiki change undone',
  'plugin.added': 'Plugin added',
  'plugin.changed': 'Plugin changed',
  'plugin.accepted': 'Plugin update accepted',
  'plugin.removed': 'Plugin removed',
  'model.saved': 'Model provider saved',
  'model.removed': 'Model provider removed',
  'secret.saved': 'Secret saved',
  'secret.removed': 'Secret removed',
  'link-secret.rotated': 'Link secret rotated',
  'workspace.created': 'Workspace created',
  'workspace.renamed': 'Workspace renamed'
}

/** The filter of the audit page. An empty text does not filter. */
export type AuditFilter = { action: AuditAction | ''; actor: string; sessionId: string }

export const noFilter: AuditFilter = { action: '', actor: '', sessionId: '' }

/** The number of entries that the page loads at a time. */
export const pageSize = 50

/** The most characters of a filter, as the server accepts them. */
export const filterLength = { actor: 200, sessionId: 128 }

const isAction = (value: unknown): value is AuditAction =>
  typeof value === 'string' && Object.hasOwn(auditEvents, value)

/** Returns the filter in a URL (`?action=turn.edit&actor=ada`). It ignores unknown and repeated values. */
export function auditFilterOf(query: Record<string, unknown>): AuditFilter {
  const text = (name: keyof typeof filterLength) => {
    const value = query[name]
    return typeof value === 'string' ? value.trim().slice(0, filterLength[name]) : ''
  }
  return {
    action: isAction(query.action) ? query.action : '',
    actor: text('actor'),
    sessionId: text('sessionId')
  }
}

/** Returns the fields of a filter that are set, as the server takes them. */
export function auditQuery({ action, actor, sessionId }: AuditFilter) {
  return {
    ...(action === '' ? {} : { action }),
    ...(actor.trim() === '' ? {} : { actor: actor.trim() }),
    ...(sessionId.trim() === '' ? {} : { sessionId: sessionId.trim() })
  }
}

/** Returns the URL of the audit page with this filter. */
export function auditPath(filter: AuditFilter): string {
  const query = new URLSearchParams(auditQuery(filter))
  return query.size === 0 ? '/settings/audit' : `/settings/audit?${query}`
}
