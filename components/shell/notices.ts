import type { WaitingCall } from '@waystation/protocol/call/waiting-call.ts'
import type { HeldMessage } from '@waystation/protocol/out-of-band/held-message.ts'
import type { ListedSession } from '@waystation/protocol/session/listed-session.ts'
import { useEffect } from 'react'
import { useNotices } from '#components/browser/notifications.ts'
import { fromWords } from '#components/session/wording/out-of-band-words.ts'
import { whyOf } from '#components/session/wording/session-status.ts'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import type { ListState, ListStore } from '#components/workspace/list-store.ts'

type News = { sessionId: string; title: string; body: string; tag: string }

/**
 * While this page is in the background, shows a browser notification for each new call and each new held message that
 * waits for this user (`mayAnswer`), and for each new reply in a session that they have opened before. A click on it
 * opens the session. Older ones cause no notification.
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
      const calls = mayAnswer ? added(known.mine, before.mine, call => call.toolCallId) : []
      const held = mayAnswer ? added(known.held, before.held, message => message.id) : []
      const requests = [...calls.map(callNews), ...held.map(heldNews)]
      for (const news of [...requests, ...newReplies(newestOf(known), newestOf(before)).map(replyNews)])
        tell(news, open)
    })
    return () => {
      unsubscribe()
      stop()
    }
  }, [store, on, mayAnswer, open])
}

function added<T>(known: readonly T[] | undefined, now: readonly T[] | undefined, idOf: (one: T) => string) {
  if (known === undefined || now === undefined) return []
  const ids = new Set(known.map(idOf))
  return now.filter(one => !ids.has(idOf(one)))
}

const newestOf = ({ newest, rows }: ListState) => newest ?? rows

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

const heldNews = (message: HeldMessage): News => ({
  sessionId: message.sessionId,
  title: `${sessionTitle(message.title, message.sessionId)} is waiting for you`,
  body: `Signal from ${fromWords(message)}: ${message.content.slice(0, 200)}`,
  tag: message.id
})

const replyNews = ({ id, title, agentName, snippet }: ListedSession): News => ({
  sessionId: id,
  title: `${agentName} replied in ${sessionTitle(title, id)}`,
  body: snippet,
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
