import type { Api } from './api.ts'
import { answered } from './api.ts'
import { type EventsOptions, readEvents } from './events.ts'
import type {
  Answer,
  Answered,
  ClientTool,
  KeptFile,
  OobPolicy,
  OobReceipt,
  OutOfBand,
  Resent,
  SendOob,
  SendReceipt,
  SessionEvent,
  SessionView,
  UserPart,
  WhenBusy
} from './types.ts'

export type SendOptions = {
  /** Makes the message once, however often it is sent; made up for you unless you have one that lasts. */
  key?: string
  whenBusy?: WhenBusy
  clientTools?: ClientTool[]
  /** The IDs of files that were uploaded to this session. */
  files?: string[]
  signal?: AbortSignal
}

export type UploadOptions = {
  name: string
  /** What it is, if its `type` does not say so. */
  mediaType?: string
  /** Makes the file once, however often it is sent; made up for you unless you have one that lasts. */
  key?: string
  signal?: AbortSignal
}

export type TellOptions = Omit<SendOob, 'content'> & { signal?: AbortSignal }

/** One session, by its ID. Each function rejects with a `WaystationError`. */
export type SessionClient = {
  id: string
  /** The session, its last 50 messages and what it waits for; `before` a message: the 50 before it. */
  get: (options?: { before?: string }) => Promise<SessionView>
  /** Sends a message; tried again with the same key while nobody knows whether it arrived. */
  send: (message: string | UserPart[], options?: SendOptions) => Promise<SendReceipt>
  /** Sends a message again that the external agent did not accept: its `data-delivery` part says `failed`. */
  resend: (messageId: string) => Promise<Resent>
  /** Keeps a file for a message, which names it by its ID in `files`. */
  upload: (file: Blob, options: UploadOptions) => Promise<KeptFile>
  /** Tells the agent something beside the conversation, also while it works; tried again with the same key, like `send`. */
  tell: (content: string, options?: TellOptions) => Promise<OobReceipt>
  outOfBand: {
    /** The newest 200 out-of-band messages and their receipts, newest first. */
    list: () => Promise<{ messages: OutOfBand[] }>
    /** Takes one back that the agent was not told yet. */
    remove: (oobId: string) => Promise<{ id: string }>
    /** Lets one in that the session's policy holds. */
    approve: (oobId: string) => Promise<OutOfBand>
    /** Says what the session lets in from now on; what is left out is as by default. */
    setPolicy: (policy: Partial<OobPolicy>) => Promise<OobPolicy>
  }
  /** Settles an open call. The same answer again gets the same receipt. */
  answer: (toolCallId: string, answer: Answer) => Promise<Answered>
  /** Everything that happens, from `after` on. Comes back by itself when the line drops. */
  events: (options?: EventsOptions) => AsyncGenerator<SessionEvent, void, undefined>
  /** Stops the running turn; open calls stay open unless `calls` is true. */
  cancel: (options?: { turnId?: string; calls?: boolean }) => Promise<{ turnId: string | null }>
  /** Ends one open call, and nothing else. */
  cancelCall: (toolCallId: string) => Promise<Answered>
  /** Gives an open call more time: `until` a moment (ISO 8601), or `seconds` from now. */
  extend: (toolCallId: string, time: { until: string } | { seconds: number }) => Promise<{ deadline: string }>
}

export function sessionOf({ calls, fetch, url, backoff, silence }: Api, id: string): SessionClient {
  const path = { sessionId: id }
  const ofCall = (toolCallId: string) => ({ params: { path: { ...path, toolCallId } } })
  const ofOob = (oobId: string) => ({ params: { path: { ...path, oobId } } })
  return {
    id,
    get: (query = {}) => answered(calls.GET('/api/sessions/{sessionId}', { params: { path, query } })),
    send: (message, { key = newKey(), signal, ...more } = {}) =>
      answered(
        calls.POST('/api/sessions/{sessionId}/messages', {
          params: { path },
          headers: { 'idempotency-key': key },
          body: { ...(typeof message === 'string' ? { text: message } : { parts: message }), ...more },
          ...(signal === undefined ? {} : { signal })
        })
      ),
    resend: messageId =>
      answered(calls.POST('/api/sessions/{sessionId}/resend', { params: { path }, body: { messageId } })),
    upload: (file, { name, mediaType = file.type, key = newKey(), signal }) =>
      answered(
        calls.POST('/api/sessions/{sessionId}/files', {
          params: { path, query: { name } },
          headers: {
            'idempotency-key': key,
            'content-type': mediaType === '' ? 'application/octet-stream' : mediaType
          },
          // A schema calls bytes a string.
          body: '',
          bodySerializer: () => file,
          ...(signal === undefined ? {} : { signal })
        })
      ),
    tell: (content, { key = newKey(), signal, ...more } = {}) =>
      answered(
        calls.POST('/api/sessions/{sessionId}/oob', {
          params: { path },
          headers: { 'idempotency-key': key },
          body: { content, ...more },
          ...(signal === undefined ? {} : { signal })
        })
      ),
    outOfBand: {
      list: () => answered(calls.GET('/api/sessions/{sessionId}/oob', { params: { path } })),
      remove: oobId => answered(calls.DELETE('/api/sessions/{sessionId}/oob/{oobId}', ofOob(oobId))),
      approve: oobId => answered(calls.POST('/api/sessions/{sessionId}/oob/{oobId}/approve', ofOob(oobId))),
      setPolicy: body =>
        answered(calls.PUT('/api/sessions/{sessionId}/oob/policy', { params: { path }, body }))
    },
    answer: (toolCallId, body) =>
      answered(
        calls.POST('/api/sessions/{sessionId}/calls/{toolCallId}/answer', { ...ofCall(toolCallId), body })
      ),
    events: options =>
      readEvents({
        ...options,
        fetch,
        url: `${url}/api/sessions/${encodeURIComponent(id)}/events`,
        backoff,
        silence
      }),
    cancel: (body = {}) =>
      answered(calls.POST('/api/sessions/{sessionId}/cancel', { params: { path }, body })),
    cancelCall: toolCallId =>
      answered(calls.POST('/api/sessions/{sessionId}/calls/{toolCallId}/cancel', ofCall(toolCallId))),
    extend: (toolCallId, body) =>
      answered(
        calls.POST('/api/sessions/{sessionId}/calls/{toolCallId}/extend', { ...ofCall(toolCallId), body })
      )
  }
}

/** A key nobody else makes: also on a page without a secure context, where `randomUUID` is missing. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('')
