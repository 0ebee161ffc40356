import type { Backoff } from './backoff.ts'
import { type CallOperation, urlOf } from './call.ts'
import { eventStream } from './event-stream.ts'
import { type EventsOptions, follow } from './follow.ts'
import { newKey } from './new-key.ts'
import { socketTo } from './socket.ts'
import type {
  Active,
  Answer,
  Answered,
  ClientTool,
  ConnectCall,
  ConnectionOfCall,
  CreatedToken,
  CreateToken,
  OobPolicy,
  OobReceipt,
  OutOfBand,
  OwnOobPolicy,
  Resent,
  SendOob,
  SendReceipt,
  SessionEvent,
  SessionToken,
  SessionView,
  StartedConnection,
  StoredFile,
  UserPart,
  WhenBusy
} from './types.ts'

/** Options of a message. */
export type SendOptions = {
  /**
   * Idempotency key: the server stores one message for each key. By default, the client creates one. Pass
   * your own to repeat the call safely, for example after a restart.
   */
  key?: string
  /** How to handle the message while the agent works. Default: `reject`. */
  whenBusy?: WhenBusy
  /** Tools that this client declares, and whose calls it answers. */
  clientTools?: ClientTool[]
  /** The IDs of files that you uploaded to this session. */
  files?: string[]
  /** The page that the user looks at. External agents receive it. */
  active?: Active
  signal?: AbortSignal
}

/** Options of an uploaded file. */
export type UploadOptions = {
  /** The file name. */
  name: string
  /** The media type. Default: the `type` of the file. */
  mediaType?: string
  /**
   * Idempotency key: the server stores one file for each key. By default, the client creates one. Pass your
   * own to repeat the call safely, for example after a restart.
   */
  key?: string
  signal?: AbortSignal
  /** Receives the sent share of the file, from 0 to 1. Only in browsers, and not with a custom `fetch`. */
  onProgress?: (share: number) => void
}

/** Options of an out-of-band message, such as its priority and its idempotency key. */
export type TellOptions = Omit<SendOob, 'content'> & { signal?: AbortSignal }

/** The functions of one session. They reject with a `WaystationError`. */
export type SessionClient = {
  id: string
  /**
   * Gets the session with its last 50 messages and its pending calls. With `before`, a message ID, gets the
   * 50 messages before that message.
   */
  get: (options?: { before?: string }) => Promise<SessionView>
  /**
   * Sends a message. If no response arrives, the client retries with the same key, so that the server stores
   * the message once.
   */
  send: (message: string | UserPart[], options?: SendOptions) => Promise<SendReceipt>
  /** Sends a message again that the external agent did not accept: its `data-delivery` part is `failed`. */
  resend: (messageId: string) => Promise<Resent>
  /** Sends an out-of-band message to the agent, even while it works. Retries like `send`. */
  tell: (content: string, options?: TellOptions) => Promise<OobReceipt>
  outOfBand: {
    /** Gets the newest 200 out-of-band messages with their receipts, newest first. */
    list: () => Promise<{ messages: OutOfBand[] }>
    /** Removes a message. Rejects with `CONFLICT` if the agent has already received it. */
    remove: (oobId: string) => Promise<{ id: string }>
    /** Approves a message with the status `held`. Not available with a session token. */
    approve: (oobId: string) => Promise<OutOfBand>
    /** Gets which messages the session accepts. `from` tells where each value comes from. */
    policy: () => Promise<OobPolicy>
    /**
     * Sets which messages the session accepts. Fields that you omit are inherited from the agent or the
     * workspace. Not available with a session token.
     */
    setPolicy: (policy: OwnOobPolicy) => Promise<OobPolicy>
  }
  /**
   * Follows the session's events, from `after` on. After a disconnect, it reconnects and continues after the
   * last event. It throws only errors that a retry cannot solve, such as 401, 403 and 404.
   */
  events: (options?: EventsOptions) => AsyncGenerator<SessionEvent, void, undefined>
  /**
   * Stops the running turn, or only `turnId`. Pending calls stay open unless `calls` is true. The returned
   * `turnId` is null if there was no turn to stop. Without `turnId`, it asks an external agent to stop.
   */
  cancel: (options?: { turnId?: string; calls?: boolean }) => Promise<{ turnId: string | null }>
  /** The calls of the session. */
  calls: {
    /**
     * Answers a pending call. The same answer again returns the same receipt. If another answer settled the
     * call first, it rejects with `ALREADY_SETTLED`.
     */
    answer: (toolCallId: string, answer: Answer) => Promise<Answered>
    /** Cancels one pending call, and nothing else. */
    cancel: (toolCallId: string) => Promise<Answered>
    /** Moves the deadline of a pending call to `until` (ISO 8601), or to `seconds` from now. */
    extend: (
      toolCallId: string,
      time: { until: string } | { seconds: number }
    ) => Promise<{ deadline: string }>
    /**
     * Starts to connect the account that a call asks for. Open the returned `url` in a window of the user. With
     * `again`, it also works after the call ended without the account, and the agent then continues by itself.
     */
    connect: (toolCallId: string, options?: ConnectCall) => Promise<StartedConnection>
    /** Gets the state of the account that a call asked for. */
    connection: (toolCallId: string) => Promise<ConnectionOfCall>
  }
  files: {
    /** Uploads a file. To send it to the agent, put its `id` into the `files` of a message. */
    upload: (file: Blob, options: UploadOptions) => Promise<StoredFile>
    /** Downloads a file of the session. */
    download: (fileId: string) => Promise<Blob>
  }
  /** The session tokens. They need an API key or a signed-in user with the role `operator`. */
  tokens: {
    list: () => Promise<{ tokens: SessionToken[] }>
    /** Creates a token for an end user. Store the returned `token`, because it is not shown again. */
    create: (token: CreateToken) => Promise<CreatedToken>
    revoke: (tokenId: string) => Promise<{ tokenId: string }>
  }
}

type OfSession = {
  url: string
  call: CallOperation
  fetch: (url: string, init: RequestInit) => Promise<Response>
  token: (refused?: string) => Promise<string | undefined>
  backoff: Backoff
  silence: number
}

export function sessionOf(
  { call, fetch, url, token, backoff, silence }: OfSession,
  id: string
): SessionClient {
  const path = { sessionId: id }
  return {
    id,
    get: (query = {}) => call('getSession', { path, query }),
    send: (message, { key = newKey(), signal, ...more } = {}) =>
      call('sendMessage', {
        path,
        headers: { 'idempotency-key': key },
        body: { ...(typeof message === 'string' ? { text: message } : { parts: message }), ...more },
        signal
      }),
    resend: messageId => call('resendMessage', { path, body: { messageId } }),
    tell: (content, { key = newKey(), signal, ...more } = {}) =>
      call('sendOutOfBand', {
        path,
        headers: { 'idempotency-key': key },
        body: { content, ...more },
        signal
      }),
    outOfBand: {
      list: () => call('listOutOfBand', { path }),
      remove: oobId => call('removeOutOfBand', { path: { ...path, oobId } }),
      approve: oobId => call('approveOutOfBand', { path: { ...path, oobId } }),
      policy: () => call('getOobPolicy', { path }),
      setPolicy: body => call('setOobPolicy', { path, body })
    },
    events: ({ socket = false, ...options } = {}) => {
      const stream = eventStream(fetch, urlOf(url, 'followEvents', { path }))
      const open = socket ? socketTo({ url, sessionId: id, token, otherwise: stream }) : stream
      return follow({ ...options, open, backoff, silence })
    },
    cancel: (body = {}) => call('cancelTurn', { path, body }),
    calls: {
      answer: (toolCallId, body) => call('answerCall', { path: { ...path, toolCallId }, body }),
      cancel: toolCallId => call('cancelCall', { path: { ...path, toolCallId } }),
      extend: (toolCallId, body) => call('extendCall', { path: { ...path, toolCallId }, body }),
      connect: (toolCallId, body = {}) => call('connectCall', { path: { ...path, toolCallId }, body }),
      connection: toolCallId => call('getConnectionOfCall', { path: { ...path, toolCallId } })
    },
    files: {
      upload: (file, { name, mediaType = file.type, key = newKey(), signal, onProgress }) =>
        call('uploadFile', {
          path,
          query: { name },
          headers: {
            'idempotency-key': key,
            'content-type': mediaType === '' ? 'application/octet-stream' : mediaType
          },
          body: file,
          signal,
          onProgress
        }),
      download: fileId => call('getFile', { path: { ...path, fileId } })
    },
    tokens: {
      list: () => call('listTokens', { path }),
      create: body => call('createToken', { path, body }),
      revoke: tokenId => call('revokeToken', { path: { ...path, tokenId } })
    }
  }
}
