'use client'
import type { WaitingCall } from '@waystation/protocol/call/waiting-call.ts'
import { useEffect, useSyncExternalStore } from 'react'
import { whyOf } from '#components/session/face.ts'
import { browserKeep } from '#components/session/keep.ts'
import type { ListStore } from './list-store.ts'

const listeners = new Set<() => void>()
const change = () => {
  for (const listener of listeners) listener()
}

/** `off` and `on` are the person's choice; `refused` and `none` are the browser's. */
export type NoticeState = 'on' | 'off' | 'refused' | 'none'

const stateNow = (): NoticeState => {
  if (!('Notification' in window)) return 'none'
  if (Notification.permission === 'denied') return 'refused'
  return Notification.permission === 'granted' && browserKeep().get<boolean>('notices') === true
    ? 'on'
    : 'off'
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether this browser tells of what waits; on the server `off`. */
export const useNotices = (): NoticeState => useSyncExternalStore(subscribe, stateNow, () => 'off')

/** Switches it on, for which the browser asks the person, or off. */
export async function setNotices(on: boolean): Promise<void> {
  if (on && Notification.permission === 'default') await Notification.requestPermission()
  browserKeep().set('notices', on)
  change()
}

/**
 * While nobody looks at this page, tells of each call that has come to wait for this person, by a notification of the
 * browser; a click on it opens the session. What waited before is not news.
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
  const notice = new Notification(`${call.title || call.sessionId} is waiting for you`, {
    body: whyOf([call], undefined),
    tag: call.toolCallId
  })
  notice.onclick = () => {
    window.focus()
    open(call.sessionId)
    notice.close()
  }
}
