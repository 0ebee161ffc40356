import type { Connection } from '@waystation/protocol/connection/connection.ts'
import type { ListedIntegration } from '@waystation/protocol/connection/integration.ts'
import type { ShellUse } from '#components/workspace/workspace-context.ts'

type Me = Pick<ShellUse['me'], 'mayAnswer' | 'mayEdit' | 'mayOwn'>
type Whose = Pick<Connection, 'sharing' | 'mine'>

/** Whether to offer this person to end a connection: their own, another person's to owners, the rest to editors. */
export function canDisconnect(me: Me, { sharing, mine }: Whose): boolean {
  if (mine) return me.mayAnswer
  return sharing === 'user' ? me.mayOwn : me.mayEdit
}

/**
 * Whether to offer them to connect it again: their own, or the workspace's. Another person's account is theirs to connect,
 * and a session's is connected in that session.
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
