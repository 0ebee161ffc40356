import type { AgentForm } from '#components/agents/agent-form.ts'
import { browserStorage } from '#components/browser/storage.ts'

/** Values that the server does not have yet. `version` is the version of the draft that they replace. */
export type StoredDraft = { values: AgentForm; version: number }

/** The place in this browser for the unsaved values of an agent's form. They survive a reload, even if they are invalid. */
export function storedDraft(workspaceId: string, agentId: string) {
  const key = `agent-draft:${workspaceId}:${agentId}`
  return {
    get: () => browserStorage().get<StoredDraft>(key),
    set: (draft: StoredDraft) => browserStorage().set(key, draft),
    remove: () => browserStorage().remove(key)
  }
}
