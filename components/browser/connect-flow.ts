'use client'
import type { Attempt, BegunConnect, ConnectMode } from '@waystation/protocol/connection/connection.ts'
import { unreachable } from './error-text.ts'
import type { Reply } from './http.ts'

/**
 * Where connecting an account stands in this page. `open`: its window is there, and may be for so many minutes. `unseen`: it
 * cannot be seen from here: it was closed at once, or its provider cut it off from us (COOP); it may well go on. `blocked`:
 * the browser opened none, so there is a link.
 */
export type ConnectPhase =
  | { kind: 'idle' | 'opening' | 'unseen' }
  | { kind: 'open'; minutes: number }
  | { kind: 'blocked'; url: string }
  | { kind: 'failed'; words: string }
  | { kind: 'connected' }

export type ConnectEnd = 'cancelled' | 'timeout'

type Asked = {
  /** Unique, so that two that are being connected at once have a window each. */
  name: string
  begin: (mode?: ConnectMode) => Promise<Reply<BegunConnect>>
  look: (attemptId: string) => Promise<Reply<Attempt>>
  /** The attempt is given up: what its provider says later is not heard. */
  drop: (attemptId: string) => Promise<unknown>
  /** The window was closed, or stood open for too long: told once. */
  onEnd: (reason: ConnectEnd) => void
}

/** 600 × 700, and how long it may stand open (002b); with a code, which may be entered elsewhere, as long as that is good. */
const size = 'popup,width=600,height=700'
const patienceMs = 180_000
const tickMs = 500
/** What happens to a window sooner than this after it was opened is hardly a person's doing. */
const hastyMs = 4_000

/**
 * Connecting an account in a window of its own. Messages from the window, or from another page of ours, are a bell and
 * nothing more: how it ended is asked of the server. Everything that can become of the window comes to an end.
 */
export function createConnectFlow({ name, begin, look, drop, onEnd }: Asked) {
  const listeners = new Set<() => void>()
  let phase: ConnectPhase = { kind: 'idle' }
  let stopWatching = () => {}
  let giveUp = () => {}
  let tries = 0
  let way: ConnectMode | undefined
  const set = (next: ConnectPhase) => {
    phase = next
    for (const listener of listeners) listener()
  }

  async function connect(mode?: ConnectMode): Promise<void> {
    stopWatching()
    // Whoever lost the window begins anew: nothing comes of the one before.
    giveUp()
    // In the click itself: later a browser would block it.
    const popup = window.open('about:blank', name, size)
    const mine = ++tries
    way = mode
    giveUp = () => popup?.close()
    set({ kind: 'opening' })
    const reply = await begin(mode)
    if (mine !== tries) {
      if (reply.ok) void drop(reply.body.attemptId)
      return
    }
    if (!reply.ok) {
      popup?.close()
      const words = reply.lost
        ? `${unreachable} The connection wasn't started. Try again.`
        : reply.refusal.error
      return set({ kind: 'failed', words })
    }
    if (popup === null) set({ kind: 'blocked', url: reply.body.url })
    else {
      popup.location.replace(reply.body.url)
      set({ kind: 'open', minutes: Math.round(patienceOf(reply.body) / 60_000) })
    }
    giveUp = () => {
      popup?.close()
      void drop(reply.body.attemptId)
    }
    stopWatching = watch(reply.body, popup)
  }

  function watch({ attemptId, url, mode, ...begun }: BegunConnect, popup: Window | null): () => void {
    const { origin } = new URL(url)
    const began = performance.now()
    const patience = patienceOf({ mode, ...begun })
    let left = mode !== 'oauth'
    let ticks = 0
    let over = false
    const stop = () => {
      over = true
      clearInterval(timer)
      window.removeEventListener('message', onMessage)
      channel.close()
    }
    const end = (next: ConnectPhase, reason?: ConnectEnd) => {
      if (over) return
      stop()
      giveUp = () => {}
      set(next)
      if (reason !== undefined) onEnd(reason)
    }
    /** The attempt's state. It is `open` if the server does not answer, and `over` if this watch stopped meanwhile. */
    const ask = async () => {
      const reply = await look(attemptId)
      if (over) return 'over'
      if (!reply.ok) return 'open'
      const { state, words = 'The account was not connected. Try again.' } = reply.body
      if (state === 'connected') end({ kind: 'connected' })
      else if (state === 'failed') end({ kind: 'failed', words })
      else if (state === 'expired')
        end({ kind: 'failed', words: 'The connection request expired. Try again.' })
      return state
    }
    const onMessage = ({ origin: from, source, data }: MessageEvent) => {
      if (from === origin && source === popup && isOurs(data, attemptId)) void ask()
    }
    const channel = new BroadcastChannel('waystation:connect')
    channel.onmessage = ({ data }) => {
      if (isOurs(data, attemptId)) void ask()
    }
    const tick = async () => {
      ticks++
      if (performance.now() - began > patience) {
        popup?.close()
        if ((await ask()) !== 'open') return
        void drop(attemptId)
        end({ kind: 'idle' }, 'timeout')
        return
      }
      if (popup?.closed && phase.kind === 'open') {
        const hasty = !left || performance.now() - began < hastyMs
        // It may have closed itself: what came of it counts.
        if ((await ask()) !== 'open') return
        if (hasty) return set({ kind: 'unseen' })
        void drop(attemptId)
        end({ kind: 'idle' }, 'cancelled')
      } else if (popup !== null && !popup.closed) left ||= hasLeft(popup)
      else if (ticks % 4 === 0) await ask()
    }
    window.addEventListener('message', onMessage)
    const timer = setInterval(() => void tick(), tickMs)
    return stop
  }

  return {
    get: () => phase,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    connect,
    /** In the way in which it was begun before. */
    again: () => connect(way),
    /** The person gives it up: its window goes too, and the attempt, so that nothing is connected there later. */
    cancel() {
      tries++
      stopWatching()
      giveUp()
      set({ kind: 'idle' })
      onEnd('cancelled')
    },
    /** It was settled elsewhere, or nobody looks any more. */
    stop() {
      stopWatching()
      if (phase.kind !== 'connected') set({ kind: 'idle' })
    }
  }
}
export type ConnectFlow = ReturnType<typeof createConnectFlow>

const patienceOf = ({ mode, expiresAt }: Pick<BegunConnect, 'mode' | 'expiresAt'>): number =>
  mode === 'device' ? Date.parse(expiresAt) - Date.now() : patienceMs

const isOurs = (data: unknown, attemptId: string): boolean =>
  typeof data === 'object' &&
  data !== null &&
  'type' in data &&
  data.type === 'tools:oauth:complete' &&
  'attemptId' in data &&
  data.attemptId === attemptId

/** Whether the window shows a page of the provider: one that cannot be read from here, or is not our own first one. */
function hasLeft(popup: Window): boolean {
  try {
    const { href, pathname } = popup.location
    return href !== 'about:blank' && !pathname.startsWith('/connect/')
  } catch {
    return true
  }
}
