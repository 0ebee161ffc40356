import { type Backoff, jitter, rest, type WaystationClient, WaystationError } from '@waystation/client'
import type { Answer } from '@waystation/protocol/call/call.ts'
import { isWaiting } from '@waystation/protocol/call/pending.ts'
import { applyEvent, type Transcript, transcriptOf } from '@waystation/protocol/session/fold.ts'
import type { ClientTool, WhenBusy } from '@waystation/protocol/session/session.ts'
import { storedFileOf } from '@waystation/protocol/session/stored-file.ts'
import { createObservers } from '#components/browser/observers.ts'
import { replyTo } from '#components/browser/reply.ts'
import { type BrowserStorage, browserStorage } from '#components/browser/storage.ts'
import { batched, mergeDeltas } from './batch.ts'
import { type PendingSend, stillPending, type Telling } from './outbox.ts'
import { restartDetector } from './restart-detector.ts'
import { type Delivery, sendOutbox } from './send-outbox.ts'
import {
  earlierThan,
  firstState,
  type InitialSession,
  remember,
  type SessionState,
  withDeliveries
} from './session-state.ts'
import { sessionVerbs } from './session-verbs.ts'
import { statusTimer } from './status-timer.ts'

export type SessionOptions = {
  sessionId: string
  client: WaystationClient
  /** False if the credential of `client` does not work on a socket. The store then uses the event stream. */
  socket?: boolean
  initial?: InitialSession | undefined
  /** Browser tools that this client declares with its messages (docs/api.md#client-tools). */
  clientTools?: ClientTool[] | undefined
  /** False if the user is no workspace member, who cannot load deliveries. Default: true. */
  members?: boolean | undefined
  keep?: BrowserStorage
  /** For tests: the waits before the outbox and the first load retry. */
  backoff?: Backoff
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
    initial,
    clientTools,
    members = true,
    socket = true,
    keep = browserStorage(),
    backoff
  } = options
  // The store shows each failure, and retries by itself what must not get lost.
  const client = options.client.with({ tries: 1 })
  const session = client.session(sessionId)
  const { subscribe, announce } = createObservers()
  let state = firstState(initial)
  let delivery: Delivery | undefined

  const get = () => state
  const set = (change: Partial<SessionState>) => {
    state = { ...state, ...change }
    announce()
  }
  const setTranscript = (transcript: Transcript, change: Partial<SessionState> = {}) => {
    set({ transcript, pending: stillPending(state.pending, transcript), ...change })
    status.watch(transcript.agentStatus)
  }
  const status = statusTimer(() => {
    const { agentStatus: _, ...transcript } = state.transcript
    setTranscript(transcript)
  })

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

  async function load(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !state.loaded && !signal.aborted; failures++) {
      const reply = await replyTo(session.get())
      if (signal.aborted) return
      if (reply.ok) {
        const { session, ...snapshot } = reply.body
        const { messages } = snapshot
        setTranscript(transcriptOf(snapshot), { session, loaded: true, earlier: earlierThan(messages) })
      } else if (!reply.error.temporary) return set({ gone: reply.error })
      else await rest(jitter(backoff ?? { first: 1000, longest: 15_000 }, failures), signal)
    }
  }

  const verbs = sessionVerbs({ client, session, get, set, setTranscript })

  /**
   * Starts to follow the session and returns a function that stops. Unsent messages and answers stay stored
   * in the browser.
   */
  function start(): () => void {
    const ending = new AbortController()
    status.watch(state.transcript.agentStatus)
    delivery = sendOutbox({
      session,
      keep,
      clientTools,
      get: () => state.pending,
      // The response can arrive after the transcript already shows the message or the answer.
      set: pending => set({ pending: stillPending(pending, state.transcript) }),
      onLate: (toolCallId, winner) => set({ late: { ...state.late, [toolCallId]: winner } }),
      backoff
    })
    delivery.again()
    const away = () => setTimeout(() => set({ connection: 'reconnecting' }), blink)
    let offline: ReturnType<typeof setTimeout> | undefined = away()
    const online = () => {
      clearTimeout(offline)
      offline = undefined
    }
    const absence = restartDetector(keep, sessionId)
    const onConnection = (line: 'up' | 'down', uptime?: number) => {
      if (line === 'down') {
        absence.down()
        offline ??= away()
        return
      }
      online()
      set({ connection: 'live', restarted: uptime === undefined ? undefined : absence.up(uptime) })
      delivery?.again()
    }
    const followLog = async () => {
      await load(ending.signal)
      if (state.gone !== undefined) return online()
      // Events report only deliveries from now on, so load the earlier ones once.
      const sent = Object.values(state.transcript.calls).some(
        call => isWaiting(call) && call.where === 'external'
      )
      if (members && sent) void verbs.loadDeliveries()
      const { signal } = ending
      const after = state.transcript.cursor
      try {
        for await (const event of session.events({ after, signal, socket, onConnection })) batch(event)
      } catch (error) {
        if (!(error instanceof WaystationError)) throw error
        online()
        set({ gone: error })
      }
    }
    void followLog()
    return () => {
      ending.abort()
      absence.stop()
      status.watch(undefined)
      online()
      delivery?.stop()
    }
  }

  return {
    client,
    /** The path parameters of this session's operations. */
    path: { sessionId },
    /** True if requests of the page itself, such as for an image, lack the credential. */
    needsCredential: client.credential !== 'cookie',
    /** Uploads a file for a later message. `onProgress` receives the sent share, from 0 to 1. */
    upload: (file: File, about: { key: string; onProgress: (share: number) => void; signal: AbortSignal }) =>
      replyTo(session.files.upload(file, { name: file.name, ...about })),
    /** Returns the content of a file in the transcript, or undefined if it cannot be loaded. */
    readFile: async (url: string): Promise<Blob | undefined> => {
      const file = storedFileOf({ url })
      if (file === undefined) return undefined
      const reply = await replyTo(client.session(file.sessionId).files.download(file.fileId))
      return reply.ok ? reply.body : undefined
    },
    start,
    getState: get,
    subscribe,
    /** Sends a message. `active` is passed to an external agent. `files` must already be uploaded. */
    send: (
      text: string,
      whenBusy: WhenBusy = 'queue',
      attached: Pick<PendingSend, 'active' | 'files'> = {}
    ) => delivery?.send({ text, whenBusy, ...attached }),
    /** Sends an out-of-band message, stored like a message until the server has it. */
    sendOutOfBand: (text: string, tell: Telling) => delivery?.send({ text, whenBusy: 'queue', tell }),
    /** Discards a message that was rejected or that is not sent yet. */
    discard: (key: string) => delivery?.discard(key),
    /** Answers a call, after `undoMs` if the user can undo the answer until then. */
    answer: (toolCallId: string, answer: Answer, undoMs?: number) =>
      delivery?.answer({ toolCallId, since: state.transcript.calls[toolCallId]?.since, answer }, undoMs),
    /** Takes an answer back that is not sent yet. */
    undoAnswer: (toolCallId: string) => delivery?.undo(toolCallId),
    forgetLate: (toolCallId: string) => {
      const { [toolCallId]: _, ...late } = state.late
      set({ late })
    },
    ...verbs
  }
}

export type SessionStore = ReturnType<typeof createSessionStore>
