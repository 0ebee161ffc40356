'use client'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { browserStorage } from '#components/browser/storage.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { newTexts } from './read-aloud-new.ts'
import { spokenBlocks } from './read-aloud-text.ts'

const listeners = new Set<() => void>()

/** Whether replies are read aloud. Off until somebody wants it; kept in this browser. */
const wanted = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  get: () => browserStorage().get<boolean>('read-aloud') ?? false,
  set: (on: boolean) => {
    browserStorage().set('read-aloud', on)
    for (const listener of listeners) listener()
  }
}

/** Browsers load their voices late, and say so. */
const voices = {
  subscribe: (listener: () => void) => {
    globalThis.speechSynthesis?.addEventListener('voiceschanged', listener)
    return () => globalThis.speechSynthesis?.removeEventListener('voiceschanged', listener)
  },
  any: () => (globalThis.speechSynthesis?.getVoices().length ?? 0) > 0
}

const never = () => false

/** Whether replies are read aloud, whether they can be here, and the way to change it. */
export function useReadAloud(): { on: boolean; can: boolean; toggle: () => void } {
  const on = useSyncExternalStore(wanted.subscribe, wanted.get, never)
  const can = useSyncExternalStore(voices.subscribe, voices.any, never)
  return { on: on && can, can, toggle: () => wanted.set(!on) }
}

/**
 * Reads the session's new replies, as long as that is on: in one tab of the browser, the first that shows this session. It
 * falls silent when somebody types or presses Escape, when the page is left, and when it is switched off; the next
 * reply is read again.
 */
export function useReading(): void {
  const { sessionId, store } = useSessionContext()
  const loaded = useSessionState(state => state.loaded)
  const { on } = useReadAloud()
  const mine = useOneTab(`waystation read-aloud ${sessionId}`, on)
  useEffect(() => {
    if (!mine || !loaded) return
    const messages = () => store.getState().transcript.messages
    const take = newTexts(messages())
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

/** Ends what is being said when somebody types or leaves. Escape ends it before it closes anything. */
function silenceOnTyping(): () => void {
  const silence = () => speechSynthesis.cancel()
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isSpeaking()) return
    silence()
    if (document.querySelector('[role="dialog"], [role="menu"]') === null) event.preventDefault()
  }
  addEventListener('keydown', onKey, true)
  addEventListener('input', silence)
  addEventListener('pagehide', silence)
  return () => {
    removeEventListener('keydown', onKey, true)
    removeEventListener('input', silence)
    removeEventListener('pagehide', silence)
  }
}

/** True in one tab at a time of those that ask for this name. Browsers without locks (no HTTPS): in each. */
function useOneTab(name: string, wants: boolean): boolean {
  const [mine, setMine] = useState(false)
  useEffect(() => {
    if (!wants) return
    if (navigator.locks === undefined) {
      setMine(true)
      return () => setMine(false)
    }
    const end = new AbortController()
    const done = Promise.withResolvers<void>()
    navigator.locks
      .request(name, { signal: end.signal }, () => {
        if (end.signal.aborted) return
        setMine(true)
        return done.promise
      })
      .catch((reason: unknown) => {
        if (!end.signal.aborted) throw reason
      })
    return () => {
      end.abort()
      done.resolve()
      setMine(false)
    }
  }, [name, wants])
  return mine
}
