import { useEffect, useState, useSyncExternalStore } from 'react'
import { isDialogOpen } from '#components/browser/hotkeys.ts'
import { createObservers } from '#components/browser/observers.ts'
import { browserStorage } from '#components/browser/storage.ts'
import { newReplies } from '#components/session/content/new-replies.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { spokenBlocks } from './read-aloud-text.ts'

const { subscribe, announce } = createObservers()

/** The setting that turns reading aloud on or off, stored in this browser. Default: off. */
const isWanted = () => browserStorage().get<boolean>('read-aloud') ?? false

const setWanted = (on: boolean) => {
  browserStorage().set('read-aloud', on)
  announce()
}

/** The browser's voices. Browsers load them late and then send `voiceschanged`. */
const voices = {
  subscribe: (listener: () => void) => {
    globalThis.speechSynthesis?.addEventListener('voiceschanged', listener)
    return () => globalThis.speechSynthesis?.removeEventListener('voiceschanged', listener)
  },
  any: () => (globalThis.speechSynthesis?.getVoices().length ?? 0) > 0
}

const never = () => false

/**
 * Returns whether replies are read aloud (`on`) and whether the browser has voices (`can`). `toggle` changes
 * `on`.
 */
export function useReadAloud(): { on: boolean; can: boolean; toggle: () => void } {
  const on = useSyncExternalStore(subscribe, isWanted, never)
  const can = useSyncExternalStore(voices.subscribe, voices.any, never)
  return { on: on && can, can, toggle: () => setWanted(!on) }
}

/**
 * Reads the session's new replies aloud while the setting is on. If several tabs show the session, only one
 * of them reads. Speech stops when the user types, presses Escape, leaves the page or turns the setting off.
 * Typing and Escape only stop the current speech, and the next reply is read again.
 */
export function useReading(): void {
  const { sessionId, store } = useSessionContext()
  const loaded = useSessionState(state => state.loaded)
  const { on } = useReadAloud()
  const mine = useOneTab(`waystation read-aloud ${sessionId}`, on)
  useEffect(() => {
    if (!mine || !loaded) return
    const messages = () => store.getState().transcript.messages
    const take = newReplies(messages())
    const unfollow = store.subscribe(() => {
      for (const words of take(messages()).flatMap(spokenBlocks))
        speechSynthesis.speak(new SpeechSynthesisUtterance(words))
    })
    const unsilence = silenceOnTyping()
    return () => {
      unfollow()
      unsilence()
      speechSynthesis.cancel()
    }
  }, [mine, loaded, store])
}

const isSpeaking = () => speechSynthesis.speaking || speechSynthesis.pending

/**
 * Stops the speech when the user types, leaves the page or presses Escape. During speech, Escape has no other
 * effect, unless a dialog or menu is open. Returns a function that removes the listeners.
 */
function silenceOnTyping(): () => void {
  const silence = () => speechSynthesis.cancel()
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isSpeaking()) return
    silence()
    if (!isDialogOpen()) event.preventDefault()
  }
  const listeners = new AbortController()
  const { signal } = listeners
  addEventListener('keydown', onKey, { capture: true, signal })
  addEventListener('input', silence, { signal })
  addEventListener('pagehide', silence, { signal })
  return () => listeners.abort()
}

/**
 * Returns true in one tab at a time of those that request this name. Without the Web Locks API, which needs
 * HTTPS, returns true in every tab.
 */
function useOneTab(name: string, wants: boolean): boolean {
  const [mine, setMine] = useState(false)
  useEffect(() => {
    if (!wants) return
    if (navigator.locks === undefined) {
      setMine(true)
      return () => setMine(false)
    }
    const end = new AbortController()
    navigator.locks
      .request(name, { signal: end.signal }, () => {
        if (end.signal.aborted) return
        setMine(true)
        return new Promise<void>(release => end.signal.addEventListener('abort', () => release()))
      })
      .catch((reason: unknown) => {
        if (!end.signal.aborted) throw reason
      })
    return () => {
      end.abort()
      setMine(false)
    }
  }, [name, wants])
  return mine
}
