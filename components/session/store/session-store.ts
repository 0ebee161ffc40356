import type { Answer } from '@waystation/protocol/call/call.ts'
import { isWaiting } from '@waystation/protocol/call/pending.ts'
import type { AttachedItem } from '@waystation/protocol/external-agent/active-item.ts'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import type { StoredFile } from '@waystation/protocol/session/file.ts'
import { applyEvent, type Transcript, transcriptOf } from '@waystation/protocol/session/fold.ts'
import type { ClientTool, WhenBusy } from '@waystation/protocol/session/session.ts'
import type { SessionView } from '@waystation/protocol/session/session-view.ts'
import { type Fetch, httpTo, pageFetch } from '#components/browser/http.ts'
import { createObservers } from '#components/browser/observers.ts'
import { type BrowserStorage, browserStorage } from '#components/browser/storage.ts'
import { batched, mergeDeltas } from './batch.ts'
import { eventStream } from './event-stream.ts'
import { follow } from './follow.ts'
import { newKey, type Pending } from './outbox.ts'
import { restartDetector } from './restart-detector.ts'
import { type Delivery, sendOutbox, withoutShown } from './send-outbox.ts'
import {
  earlierThan,
  firstState,
  type InitialSession,
  remember,
  type SessionState,
  withDeliveries
} from './session-state.ts'
import { sessionVerbs } from './session-verbs.ts'
import { socketLine, type Token } from './socket-line.ts'
import { upload } from './upload.ts'

export type SessionOptions = {
  sessionId: string
  baseUrl?: string
  /** Required if the page comes from another origin: sends requests with the page's credential. */
  fetch?: Fetch | undefined
  /**
   * Returns the same credential for the socket. With a custom `fetch` but no `token`, the store uses the
   * event stream.
   */
  token?: Token | undefined
  initial?: InitialSession | undefined
  /** Browser tools that this client declares with its messages (docs/api.md#client-tools). */
  clientTools?: readonly ClientTool[] | undefined
  /** False if the user is no workspace member, who cannot load deliveries. Default: true. */
  members?: boolean | undefined
  keep?: BrowserStorage
  /** For tests: the wait before each retry, in milliseconds. */
  retryMs?: number
}

/** How long the connection can be down before the page shows `reconnecting`, in milliseconds. */
const blink = 2000

/**
 * Creates the store of one session, which works without React. From `start` on, it follows the log, applies
 * new events once per frame, and sends messages and answers.
 */
export function createSessionStore(options: SessionOptions) {
  const {
    sessionId,
    baseUrl = '',
    initial,
    clientTools,
    members = true,
    fetch = pageFetch,
    token,
    keep = browserStorage(),
    retryMs
  } = options
  const path = `/api/sessions/${encodeURIComponent(sessionId)}`
  const http = httpTo(baseUrl, fetch)
  const { subscribe, announce } = createObservers()
  let state = firstState(initial)
  let delivery: Delivery | undefined
  let newest = 0

  const get = () => state
  const set = (change: Partial<SessionState>) => {
    state = { ...state, ...change }
    announce()
  }
  const setTranscript = (transcript: Transcript, change: Partial<SessionState> = {}) => {
    set({ transcript, pending: stillPending(state.pending, transcript), ...change })
  }

  const batch = batched(events => {
    const fresh = events.filter(event => event.type === 'reset' || event.seq > state.transcript.cursor)
    const reset = fresh.findLast(event => event.type === 'reset')
    const sent = fresh.flatMap(event => (event.type === 'delivery' ? [event.delivery] : []))
    setTranscript(mergeDeltas(fresh).reduce(applyEvent, state.transcript), {
      ...remember(state, fresh),
      restarted: undefined,
      deliveries: withDeliveries(state.deliveries, sent),
      ...(reset === undefined ? {} : { earlier: earlierThan(reset.messages) })
    })
  })
  const onEvent = (event: SessionEvent) => {
    newest = event.type === 'reset' ? event.cursor : event.seq
    batch(event)
  }
  /** The newest received event, even if it still waits for a frame. A new connection continues after it. */
  const cursor = () => Math.max(newest, state.transcript.cursor)

  async function load(signal: AbortSignal): Promise<void> {
    for (let wait = 500; !state.loaded && !signal.aborted; wait = Math.min(wait * 2, 15_000)) {
      const reply = await http<SessionView>('GET', path)
      if (signal.aborted) return
      if (reply.ok) {
        const { session, ...snapshot } = reply.body
        const { messages } = snapshot
        setTranscript(transcriptOf(snapshot), { session, loaded: true, earlier: earlierThan(messages) })
      } else if (!reply.lost) return set({ gone: reply.refusal })
      else await new Promise(resolve => setTimeout(resolve, wait))
    }
  }

  const stream = eventStream(fetch, `${baseUrl}${path}/events`)
  const withSocket = socketLine({ baseUrl, sessionId, token, otherwise: stream })

  const verbs = sessionVerbs({ sessionId, path, http, get, set, setTranscript })

  /**
   * Starts to follow the session and returns a function that stops. Unsent messages and answers stay stored
   * in the browser.
   */
  function start(): () => void {
    const ending = new AbortController()
    delivery = sendOutbox({
      sessionId,
      http,
      keep,
      clientTools,
      get: () => state.pending,
      // The response can arrive after the transcript already shows the message or the answer.
      set: pending => set({ pending: stillPending(pending, state.transcript) }),
      onLate: (toolCallId, winner) => set({ late: { ...state.late, [toolCallId]: winner } }),
      ...(retryMs === undefined ? {} : { waits: [retryMs] })
    })
    delivery.again()
    const away = () => setTimeout(() => set({ connection: 'reconnecting' }), blink)
    let offline: ReturnType<typeof setTimeout> | undefined = away()
    const online = () => {
      clearTimeout(offline)
      offline = undefined
    }
    const absence = restartDetector(keep, sessionId)
    const onLine = (line: 'up' | 'down', uptime?: number) => {
      if (line === 'down') {
        absence.down()
        offline ??= away()
        return
      }
      online()
      set({ connection: 'live', restarted: uptime === undefined ? undefined : absence.up(uptime) })
      delivery?.again()
    }
    const onRefused = (gone: NonNullable<SessionState['gone']>) => {
      online()
      set({ gone })
    }
    void load(ending.signal).then(() => {
      if (state.gone !== undefined) return online()
      // Events report only deliveries from now on, so load the earlier ones once.
      const sent = Object.values(state.transcript.calls).some(
        call => isWaiting(call) && call.where === 'external'
      )
      if (members && sent) void verbs.loadDeliveries()
      return follow({
        open: fetch === pageFetch || token !== undefined ? withSocket : stream,
        cursor,
        onEvent,
        onLine,
        onRefused,
        signal: ending.signal,
        ...(retryMs === undefined ? {} : { backoff: { first: retryMs, longest: retryMs } })
      })
    })
    return () => {
      ending.abort()
      absence.stop()
      online()
      delivery?.stop()
    }
  }

  return {
    path,
    http,
    /** True if the page's own requests for files, such as of an image, lack the credential. */
    needsCredential: fetch !== pageFetch,
    /** Uploads a file for a later message. `onProgress` receives the sent share, from 0 to 1. */
    upload: (file: File, about: { key: string; onProgress: (share: number) => void; signal: AbortSignal }) =>
      upload({ url: `${baseUrl}${path}/files`, fetch, file, ...about }),
    /** Returns the content of a file in the transcript, or undefined if it cannot be loaded. */
    readFile: (url: string): Promise<Blob | undefined> =>
      fetch(baseUrl + url, {}).then(
        response => (response.ok ? response.blob() : undefined),
        () => undefined
      ),
    start,
    getState: get,
    subscribe,
    /** Sends a message. `active` is passed to an external agent. `files` must already be uploaded. */
    send: (
      text: string,
      whenBusy: WhenBusy = 'queue',
      { active, files }: { active?: AttachedItem | undefined; files?: readonly StoredFile[] | undefined } = {}
    ) =>
      delivery?.send({
        key: newKey(),
        text,
        whenBusy,
        active,
        files,
        at: new Date().toISOString(),
        state: 'sending'
      }),
    /** Discards a message that was rejected or that is not sent yet. */
    discard: (key: string) => delivery?.discard(key),
    answer: (toolCallId: string, answer: Answer) =>
      delivery?.answer({
        toolCallId,
        since: state.transcript.calls[toolCallId]?.since,
        answer,
        at: new Date().toISOString(),
        state: 'sending'
      }),
    forgetLate: (toolCallId: string) => {
      const { [toolCallId]: _, ...late } = state.late
      set({ late })
    },
    ...verbs
  }
}

/** Returns the pending messages and answers that the transcript does not show yet. */
const stillPending = (pending: Pending, transcript: Transcript): Pending =>
  withoutShown(pending, {
    message: id => transcript.messages.some(folded => folded.message.id === id),
    call: id => transcript.calls[id]
  })

export type SessionStore = ReturnType<typeof createSessionStore>
