import { useRef, useState } from 'react'
import type { EditedDraft } from '#components/agents/draft/use-agent-draft.ts'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { browserStorage } from '#components/browser/storage.ts'

export type Trial = ReturnType<typeof useTrial>

/**
 * The session in which the user tries the draft. This browser remembers it. The session runs a snapshot, so `prepare`
 * saves the draft and pins the session to it again before a message is sent.
 */
export function useTrial(draft: EditedDraft, workspaceId: string) {
  const { agentId } = draft.agent
  const key = `trial:${workspaceId}:${agentId}`
  const [sessionId, setSessionId] = useState<string>()
  const [fault, setFault] = useState('')
  /** Identifies the configuration that the session is pinned to. */
  const [pinned, setPinned] = useState<string>()
  const pinnedNow = useRef<string>(undefined)
  const pin = (version: string | undefined) => {
    pinnedNow.current = version
    setPinned(version)
  }
  const refuse = (text: string) => {
    setFault(text)
    return false
  }
  /** Saves the draft. Returns false if it is not valid, and shows the errors at the fields. */
  const save = async (): Promise<boolean> => {
    if (await draft.autosave.flush()) return true
    await draft.isValid()
    return refuse('The draft is not saved. Correct it, then send your message again.')
  }
  const wanted = () => {
    const { version, revision, draft: saved } = draft.savedState()
    return { name: `${version}.${revision}`, hasDraft: saved !== null }
  }
  /** Starts a session on the draft as it is stored. */
  const start = async (): Promise<boolean> => {
    setFault('')
    const { name, hasDraft } = wanted()
    const created = await replyTo(
      client.sessions.create({ agentId, trial: true, ...(hasDraft ? { revision: 'draft' } : {}) })
    )
    if (!created.ok) return refuse(changeError(created))
    const { sessionId } = created.body
    browserStorage().set(key, sessionId)
    setSessionId(sessionId)
    pin(name)
    return true
  }
  return {
    sessionId,
    fault,
    pinned,
    /** Saves the draft, and starts another session. */
    renew: async () => (await save()) && start(),
    /**
     * Opens the session that this browser remembers, or starts one. Values of the form that are not saved yet do not
     * matter, because the draft is saved before each message.
     */
    open: async () => {
      const known = browserStorage().get<string>(key)
      const found = known === undefined ? undefined : await replyTo(client.session(known).get())
      if (found?.ok !== true) return start()
      setSessionId(known)
      return true
    },
    /** Makes the session run the draft as it is now. Returns false if that is not possible, and says why. */
    prepare: async (): Promise<boolean> => {
      setFault('')
      if (sessionId === undefined || !(await save())) return false
      const { name, hasDraft } = wanted()
      if (pinnedNow.current === name) return true
      const path = { sessionId }
      const reply = await replyTo(
        client.call('pinRevision', { path, body: { revision: hasDraft ? 'draft' : null } })
      )
      if (!reply.ok) return refuse(changeError(reply))
      pin(name)
      return true
    }
  }
}
