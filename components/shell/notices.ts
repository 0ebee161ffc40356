import type { WaitingCall } from '@waystation/protocol/call/waiting-call.ts'
import type { ListedSession } from '@waystation/protocol/session/listed-session.ts'
import { useEffect } from 'react'
import { useNotices } from '#components/browser/notifications.ts'
import { plainText } from '#components/browser/plain-text.ts'
import { whyOf } from '#components/session/wording/session-status.ts'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import type { ListStore } from '#components/workspace/list-store.ts'

type News = { sessionId: string; title: string; body: string; tag: string }

/**
 * While this page is in the background, shows a browser notification for each new call that waits for this user
 * (`mayAnswer`), and for each new reply in a session that they have opened before. A click on it opens the session.
 * Older calls and replies cause no notification.
 */
export function useBackgroundNotices(
  store: ListStore,
  mayAnswer: boolean,
  open: (sessionId: string) => void
): void {
  const on = useNotices() === 'on'
  useEffect(() => {
    if (!on) return
    const stop = store.watchHidden()
    let before = store.get()
    const unsubscribe = store.subscribe(() => {
      const known = before
      before = store.get()
      if (document.visibilityState === 'visible') return
      const calls = mayAnswer ? newCalls(known.mine, before.mine) : []
      for (const news of [...calls.map(callNews), ...newReplies(known.rows, before.rows).map(replyNews)])
        tell(news, open)
    })
    return () => {
      unsubscribe()
      stop()
    }
  }, [store, on, mayAnswer, open])
}

function newCalls(known: readonly WaitingCall[] | undefined, calls: readonly WaitingCall[] | undefined) {
  if (known === undefined || calls === undefined) return []
  const ids = new Set(known.map(({ toolCallId }) => toolCallId))
  return calls.filter(({ toolCallId }) => !ids.has(toolCallId))
}

/** Returns the sessions with a reply that arrived after all activity in `known`. */
function newReplies(known: readonly ListedSession[], rows: readonly ListedSession[]) {
  const newest = known.reduce((latest, { activeAt }) => (activeAt > latest ? activeAt : latest), '')
  const unread = new Map(known.filter(row => row.unread).map(row => [row.id, row.snippet]))
  return rows.filter(row => row.unread && row.activeAt > newest && unread.get(row.id) !== row.snippet)
}

const callNews = (call: WaitingCall): News => ({
  sessionId: call.sessionId,
  title: `${sessionTitle(call.title, call.sessionId)} is waiting for you`,
  body: whyOf([call], undefined),
  tag: call.toolCallId
})

const replyNews = ({ id, title, agentName, snippet }: ListedSession): News => ({
  sessionId: id,
  title: `${agentName} replied in ${sessionTitle(title, id)}`,
  body: plainText(snippet),
  tag: `reply ${id}`
})

function tell({ sessionId, title, ...options }: News, open: (sessionId: string) => void): void {
  const notice = new Notification(title, options)
  notice.onclick = () => {
    window.focus()
    open(sessionId)
    notice.close()
  }
}
