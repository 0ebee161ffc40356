import { newKey } from '@waystation/client'
import { useRef, useState } from 'react'
import type { EditedDraft } from '#components/agents/draft/use-agent-draft.ts'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { browserStorage } from '#components/browser/storage.ts'

export type Trial = ReturnType<typeof useTrial>

/**
 * The session in which the user tries the draft. This browser remembers it. It is created with its first message. It
 * runs a snapshot, so `prepare` saves the draft and pins the session to it again before each message.
 */
export function useTrial(draft: EditedDraft, workspaceId: string) {
  const { agentId } = draft.agent
  const key = `trial:${workspaceId}:${agentId}`
  const [session, setSession] = useState<{ sessionId: string; exists: boolean }>()
  const { sessionId } = session ?? {}
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
  const create = async (sessionId: string): Promise<boolean> => {
    const { name, hasDraft } = wanted()
    const created = await replyTo(
      client.sessions.create({ agentId, sessionId, trial: true, ...(hasDraft ? { revision: 'draft' } : {}) })
    )
    if (!created.ok) return refuse(changeError(created))
    browserStorage().set(key, sessionId)
    setSession({ sessionId, exists: true })
    pin(name)
    return true
  }
  const renew = () => {
    setFault('')
    browserStorage().remove(key)
    setSession({ sessionId: newKey(), exists: false })
  }
  return {
    sessionId,
    /** False until the first message, or until the user opens the prompt. */
    exists: session?.exists === true,
    fault,
    pinned,
    /** Starts over with another session. */
    renew,
    /** Opens the session that this browser remembers, or another one. */
    open: async () => {
      const known = browserStorage().get<string>(key)
      const found = known === undefined ? undefined : await replyTo(client.session(known).get())
      if (known !== undefined && found?.ok === true) setSession({ sessionId: known, exists: true })
      else renew()
    },
    /** Makes the session run the draft as it is now. Returns false if that is not possible, and says why. */
    prepare: async (): Promise<boolean> => {
      setFault('')
      if (session === undefined || !(await save())) return false
      const { sessionId, exists } = session
      if (!exists) return create(sessionId)
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
