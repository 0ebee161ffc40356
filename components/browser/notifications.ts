import { useSyncExternalStore } from 'react'
import { createObservers } from './observers.ts'
import { browserStorage } from './storage.ts'

const { subscribe, announce } = createObservers()

/** `off` and `on` are the user's choice. `refused` and `none` are the browser's. */
export type NoticeState = 'on' | 'off' | 'refused' | 'none'

const stateNow = (): NoticeState => {
  if (!('Notification' in window)) return 'none'
  if (Notification.permission === 'denied') return 'refused'
  return Notification.permission === 'granted' && browserStorage().get<boolean>('notices') === true
    ? 'on'
    : 'off'
}

/** Tells whether this browser shows notifications of pending requests and replies. On the server, it is `off`. */
export const useNotices = (): NoticeState => useSyncExternalStore(subscribe, stateNow, () => 'off')

/** Turns notifications on or off. To turn them on, the browser asks for permission. */
export async function setNotices(on: boolean): Promise<void> {
  if (on && Notification.permission === 'default') await Notification.requestPermission()
  browserStorage().set('notices', on)
  announce()
}
