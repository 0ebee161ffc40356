import type { ListedView } from '@waystation/protocol/plugin/plugin-view.ts'
import { createContext, useContext } from 'react'

/**
 * The data of an agent that the shell needs to name it and to start a session with it. `lists`: it is external and has
 * a `checkUrl`, which lists its conversations.
 */
export type ListedAgent = {
  agentId: string
  displayName: string
  description?: string
  external?: boolean
  /** True if sessions that editors start have the build kit. */
  buildKit?: boolean
  lists?: boolean
}

/** The signed-in user, the workspace's agents and views, and actions that are available on every page. */
export type WorkspaceUse = {
  me: {
    /** The user's ID in answer policies. */
    id: string | undefined
    role: string | undefined
    name: string
    mayEdit: boolean
    mayOwn: boolean
    maySend: boolean
    mayAnswer: boolean
  }
  agents: readonly ListedAgent[]
  /** The views of plugins: tabs of the workspace, and entries of the navigation. */
  views: readonly ListedView[]
  /**
   * Starts a session with the agent. A dialog asks for what is missing: the agent, or a shared ID. `text` is then in the
   * message field.
   */
  newSession: (agentId?: string, text?: string) => void
  showKeys: () => void
  /** Opens the command palette. */
  find: () => void
  /** Opens the next session that waits for the user, after the open one. */
  nextWaiting: () => void
  /** The ID of the session that was started last. Its page moves the focus to the message field. */
  begun: { current: string | undefined }
}

export const WorkspaceContext = createContext<WorkspaceUse | null>(null)

/** Returns the user, agents, views and actions of the shell. Throws outside `<Shell>`. */
export function useWorkspace(): WorkspaceUse {
  const use = useContext(WorkspaceContext)
  if (use === null) throw new Error('useWorkspace() must be called inside <Shell>')
  return use
}
