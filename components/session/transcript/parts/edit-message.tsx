import type { Message } from '@waystation/protocol/session/message.ts'
import type { KeyboardEvent } from 'react'
import { useDraft, writeDraft } from '#components/browser/drafts.ts'
import { useAction } from '#components/browser/use-action.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { impactWords, turnImpact } from '#components/session/wording/turn-impact.ts'
import { Button } from '#components/ui/button.tsx'
import { TextArea } from '#components/ui/text-area.tsx'

const unbegun: { text: string | null } = { text: null }

/**
 * Returns the edited text of a user's message, or null if it is not being edited. The text survives a reload.
 */
export const useEdit = (messageId: string) => {
  const { sessionId } = useSessionContext()
  const [draft] = useDraft(sessionId, `edit:${messageId}`, unbegun)
  return draft.text
}

/**
 * Edits a message in its row. Escape discards the edit. ⌘/Ctrl+Enter sends it, and the conversation continues
 * from there. The form says beforehand which turns and calls this removes or cancels.
 */
export function EditMessage({ message, text }: { message: Message; text: string }) {
  const { sessionId, store } = useSessionContext()
  const running = useSessionState(state => state.transcript.status === 'running')
  const goes = useSessionState(state => impactWords(turnImpact(state.transcript, message.id)))
  const id = `edit:${message.id}`
  const leave = () => {
    writeDraft(sessionId, id, undefined)
    document.querySelector<HTMLElement>(`[data-row="${CSS.escape(message.id)}"]`)?.focus()
  }
  const cannotSend = running || text.trim() === ''
  const [send, busy] = useAction(async () => {
    if (cannotSend) return
    // The text above the button names the pending calls, so the request also cancels them.
    const sent = await store.rerun(message.id, { text, calls: true })
    if (sent !== undefined) writeDraft(sessionId, id, undefined)
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') leave()
    else if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void send()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="flex flex-col gap-2" aria-busy={busy}>
      <TextArea
        label="Edit message"
        value={text}
        onChange={next => writeDraft(sessionId, id, { text: next })}
        onKeyDown={onKeyDown}
        disabled={busy}
        wanted
        data-hook="message-edit-input"
      />
      <p data-hook="edit-effect" className="text-muted">
        The conversation continues from here with a new reply. {goes ?? ''}
        {running ? ' The agent is working. Stop the agent or wait.' : ''}
      </p>
      <div className="flex gap-2">
        <Button
          tone="primary"
          disabled={busy || cannotSend}
          onClick={() => void send()}
          title="⌘↵ or Ctrl+↵"
          data-hook="message-edit-send"
        >
          {busy ? 'Sending…' : 'Send and rerun'}
        </Button>
        <Button disabled={busy} onClick={leave} title="Esc">
          Cancel
        </Button>
      </div>
    </div>
  )
}
