import { writeDraft } from '#components/browser/drafts.ts'
import { browserStorage } from '#components/browser/storage.ts'
import { sessionPath } from '#components/session/wording/session-path.ts'
import type { ListStore } from '#components/workspace/list-store.ts'
import type { WorkspaceUse } from '#components/workspace/workspace-context.ts'

type Created = { agentId: string; sessionId: string }
type Frame = Pick<WorkspaceUse, 'begun'> & {
  store: ListStore
  go: (path: string) => void
  /** The first draft of a message. */
  text?: string | undefined
}

/** Opens a session that the user has just created. Its message field gets the focus. */
export function enterSession({ begun, store, go, text }: Frame, { agentId, sessionId }: Created): void {
  // The dialog preselects this agent next time.
  browserStorage().set('agent', agentId)
  if (text !== undefined) writeDraft(sessionId, 'composer', { text })
  void store.refresh()
  begun.current = sessionId
  go(sessionPath(sessionId))
}
