import type { WaitingCall } from '@waystation/protocol/call/waiting-call.ts'
import { useEffect } from 'react'
import { useNotices } from '#components/browser/notifications.ts'
import { whyOf } from '#components/session/wording/session-status.ts'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import type { ListStore } from '#components/workspace/list-store.ts'

/**
 * While this page is in the background, shows a browser notification for each new call that waits for this
 * user. A click on it opens the session. Calls that were already pending cause no notification.
 */
export function useWaitingNotices(
  store: ListStore,
  mayAnswer: boolean,
  open: (sessionId: string) => void
): void {
  const on = useNotices() === 'on' && mayAnswer
  useEffect(() => {
    if (!on) return
    const stop = store.watchHidden()
    let before = store.get().mine
    const unsubscribe = store.subscribe(() => {
      const { mine } = store.get()
      const known = before
      before = mine
      if (mine === undefined || known === undefined || mine === known) return
      if (document.visibilityState === 'visible') return
      const ids = new Set(known.map(({ toolCallId }) => toolCallId))
      for (const call of mine.filter(({ toolCallId }) => !ids.has(toolCallId))) tell(call, open)
    })
    return () => {
      unsubscribe()
      stop()
    }
  }, [store, on, open])
}

function tell(call: WaitingCall, open: (sessionId: string) => void): void {
  const notice = new Notification(`${sessionTitle(call.title, call.sessionId)} is waiting for you`, {
    body: whyOf([call], undefined),
    tag: call.toolCallId
  })
  notice.onclick = () => {
    window.focus()
    open(call.sessionId)
    notice.close()
  }
}
