import type {
  Attempt,
  BegunConnect,
  ConnectMode,
  OpenAttempt
} from '@waystation/protocol/connection/connection.ts'
import { errorText } from './error-text.ts'
import { createObservers } from './observers.ts'
import type { Reply } from './reply.ts'

/**
 * The phase of connecting an account in this page.
 * - `open`: the window is open, and can stay open for `minutes`.
 * - `unseen`: the page cannot see the window. It was closed at once, the provider separated it from this page
 *   (COOP), or another page opened it. The attempt can still succeed.
 * - `blocked`: the browser blocked the window, so the page shows a link to `url`.
 */
export type ConnectPhase =
  | { kind: 'idle' | 'opening' | 'unseen' }
  | { kind: 'open'; minutes: number }
  | { kind: 'blocked'; url: string }
  | { kind: 'failed'; words: string }
  | { kind: 'connected' }

export type ConnectEnd = 'cancelled' | 'timeout'

type Asked = {
  /** A unique window name, so that two accounts can be connected at the same time. */
  name: string
  begin: (mode?: ConnectMode) => Promise<Reply<BegunConnect>>
  look: (attemptId: string) => Promise<Reply<Attempt>>
  /** Gives up the attempt, so that the server ignores a later response of the provider. */
  drop: (attemptId: string) => Promise<unknown>
  /** Called once if the attempt is canceled or the window was open for too long. */
  onEnd: (reason: ConnectEnd) => void
}

const size = 'popup,width=600,height=700'
/** How long the window can stay open (002b). With a device code, it is until the code expires. */
const patienceMs = 180_000
const tickMs = 500
/** If a window closes sooner than this, the user probably did not close it. */
const hastyMs = 4_000

/**
 * Connects an account in a separate window. A message from the window, or from another page of ours, only
 * triggers a request, because the server knows the outcome. The flow always ends, even if the window never
 * reports back.
 */
export function createConnectFlow({ name, begin, look, drop, onEnd }: Asked) {
  const { subscribe, announce } = createObservers()
  let phase: ConnectPhase = { kind: 'idle' }
  let stopWatching = () => {}
  let giveUp = () => {}
  let tries = 0
  let way: ConnectMode | undefined
  /** The attempts that this page has started or resumed. */
  const known = new Set<string>()
  const set = (next: ConnectPhase) => {
    phase = next
    announce()
  }

  async function connect(mode?: ConnectMode): Promise<void> {
    stopWatching()
    // A user who lost the window starts again, so give up the previous attempt.
    giveUp()
    // Open the window in the click handler. After an `await`, the browser would block it.
    const popup = window.open('about:blank', name, size)
    const mine = ++tries
    way = mode
    giveUp = () => popup?.close()
    set({ kind: 'opening' })
    const reply = await begin(mode)
    if (reply.ok) known.add(reply.body.attemptId)
    if (mine !== tries) {
      if (reply.ok) void drop(reply.body.attemptId)
      return
    }
    if (!reply.ok) {
      popup?.close()
      const words = errorText(reply, "The connection wasn't started. Try again.")
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

  function watch(begun: OpenAttempt & { url?: string }, popup: Window | null): () => void {
    const { attemptId } = begun
    const origin = begun.url && new URL(begun.url).origin
    const began = performance.now()
    const patience = patienceOf(begun)
    let left = begun.mode !== 'oauth'
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
    /** Returns the attempt's state: `open` if the request fails, and `over` if this watch has stopped. */
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
    const onMessage = (message: MessageEvent) => {
      if (message.origin === origin && message.source === popup && isAbout(message, attemptId)) void ask()
    }
    const channel = new BroadcastChannel('waystation:connect')
    channel.onmessage = message => {
      if (isAbout(message, attemptId)) void ask()
    }
    const tick = async () => {
      ticks++
      if (performance.now() - began > patience) {
        popup?.close()
        if ((await ask()) !== 'open') return
        void drop(attemptId)
        end({ kind: 'idle' }, 'timeout')
      } else if (popup?.closed && phase.kind === 'open') {
        const hasty = !left || performance.now() - began < hastyMs
        // The window may have closed itself at the end, so ask for the outcome.
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
    subscribe,
    connect,
    /** Watches an attempt that started before a reload, or in another tab. Does nothing if one is running here. */
    resume(attempt: OpenAttempt) {
      if (known.has(attempt.attemptId) || (phase.kind !== 'idle' && phase.kind !== 'failed')) return
      known.add(attempt.attemptId)
      way = attempt.mode
      giveUp = () => void drop(attempt.attemptId)
      set({ kind: 'unseen' })
      stopWatching = watch(attempt, null)
    },
    /** Starts again in the same mode. */
    again: () => connect(way),
    /** Cancels for the user. Closes the window and gives up the attempt, so that it cannot succeed later. */
    cancel() {
      tries++
      stopWatching()
      giveUp()
      set({ kind: 'idle' })
      onEnd('cancelled')
    },
    /** Stops watching without giving up the attempt, for example because the call was settled elsewhere. */
    stop() {
      stopWatching()
      if (phase.kind !== 'connected') set({ kind: 'idle' })
    }
  }
}
export type ConnectFlow = ReturnType<typeof createConnectFlow>

const patienceOf = ({ mode, expiresAt }: Pick<BegunConnect, 'mode' | 'expiresAt'>): number =>
  mode === 'device' ? Date.parse(expiresAt) - Date.now() : patienceMs

const isAbout = ({ data }: MessageEvent, attemptId: string): boolean =>
  data?.type === 'tools:oauth:complete' && data.attemptId === attemptId

/** True if the window has left our first page. A page of the provider cannot be read from here. */
function hasLeft(popup: Window): boolean {
  try {
    const { href, pathname } = popup.location
    return href !== 'about:blank' && !pathname.startsWith('/connect/')
  } catch {
    return true
  }
}
