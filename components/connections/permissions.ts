import type { Connection } from '@waystation/protocol/connection/connection.ts'
import type { ListedIntegration } from '@waystation/protocol/connection/integration.ts'
import type { WorkspaceUse } from '#components/workspace/workspace-context.ts'

type Me = Pick<WorkspaceUse['me'], 'mayAnswer' | 'mayEdit' | 'mayOwn'>
type Whose = Pick<Connection, 'sharing' | 'mine'>

/**
 * True if the user can disconnect a connection. Operators can disconnect their own, owners those of other
 * people, and editors all others.
 */
export function canDisconnect(me: Me, { sharing, mine }: Whose): boolean {
  if (mine) return me.mayAnswer
  return sharing === 'user' ? me.mayOwn : me.mayEdit
}

/**
 * True if the user can reconnect a connection on this page. Operators can reconnect their own, and editors
 * those of the workspace. Accounts of other people never can be, and the account of a session is reconnected
 * in that session.
 */
export function canReconnect(
  me: Me,
  { sharing, mine }: Whose,
  integration: Pick<ListedIntegration, 'modes'> | undefined
): boolean {
  if (integration === undefined || integration.modes.length === 0) return false
  if (sharing === 'workspace') return me.mayEdit
  return sharing === 'user' && mine && me.mayAnswer
}
