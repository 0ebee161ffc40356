'use client'
import type { ListedView } from '@waystation/protocol/plugin/plugin-view.ts'
import { createContext, useContext } from 'react'

/** An agent as the shell needs it: to name it, and to begin a session with it. */
export type ListedAgent = { agentId: string; displayName: string; description?: string; external?: boolean }

/** Who is signed in here, and what they may begin from anywhere in the shell. */
export type ShellUse = {
  me: {
    /** As a call's policy names them. */
    id: string | undefined
    role: string | undefined
    name: string
    mayEdit: boolean
    mayOwn: boolean
    maySend: boolean
    mayAnswer: boolean
  }
  agents: readonly ListedAgent[]
  /** What plugins show: tabs, and sections of the navigation. */
  views: readonly ListedView[]
  newSession: (agentId?: string) => void
  openPalette: () => void
  showKeys: () => void
  /** The next session that waits for me, after the one that is open. */
  nextWaiting: () => void
  /** The session that was begun from here last: its page puts the cursor where one writes. */
  begun: { current: string | undefined }
}

export const ShellContext = createContext<ShellUse | null>(null)

export function useWorkspace(): ShellUse {
  const use = useContext(ShellContext)
  if (use === null) throw new Error('useShell() must be called inside <Shell>')
  return use
}
