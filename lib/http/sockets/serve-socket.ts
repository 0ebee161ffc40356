import { ApiError, invalid } from '@waystation/base/api-error.ts'
import { log } from '@waystation/base/log.ts'
import type { Answered } from '@waystation/protocol/call/call.ts'
import type { OobReceipt, SendOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import type {
  AnswerCall,
  CancelTurn,
  FollowEvents,
  SendMessage,
  SendReceipt
} from '@waystation/protocol/session/session.ts'
import { ClientFrame, FrameName, Hello, type ServerFrame } from '@waystation/protocol/socket.ts'
import type { WebSocket } from 'ws'
import type { z } from 'zod'
import { parseInput } from '#lib/http/request/parse-input.ts'
import { parseJson } from '#lib/http/request/parse-json.ts'
import { apiErrorFor } from '#lib/http/response/api-error-for.ts'
import { untilAborted } from '#lib/http/until-aborted.ts'
import { uptime } from '#lib/http/uptime.ts'
import type { Actor, Ctx } from '#lib/kernel/ctx.ts'
import type { OpenStream } from '#lib/kernel/ports/open-streams.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import { type FrameAuthorizer, frameAuthorizer } from './authorize-frame.ts'
import { limitFrames } from './limit-frames.ts'
import { writerTo } from './write-frame.ts'

/** The verbs behind the frames, the same ones as over HTTP. */
export type SocketVerbs = {
  follow: (ctx: Ctx, input: FollowEvents, signal: AbortSignal) => Promise<AsyncIterable<SessionEvent>>
  send: (ctx: Ctx, input: SendMessage) => Promise<SendReceipt>
  sendOutOfBand: (ctx: Ctx, input: SendOob) => Promise<OobReceipt>
  answer: (ctx: Ctx, input: AnswerCall) => Promise<Answered>
  cancel: (ctx: Ctx, input: CancelTurn) => Promise<{ turnId: string | null }>
}

/** A socket without an accepted hello closes after this long. Milliseconds. */
const helloMs = 10_000
/** How often the socket is pinged, in milliseconds. */
const pingMs = 30_000
/** How often a follower receives an `alive` frame, because a page in a browser cannot see pings. Milliseconds. */
const aliveMs = 15_000
/** How many frames can wait. At this limit, the socket is paused. */
const maxQueued = 16

/** The most bytes of a frame, before and after an accepted hello. The second limit is that of any body of the API. */
const maxFrameBytes = { unknown: 4096, known: 2 * 1024 * 1024 }
/** How many frames can fail before the hello is accepted. */
const maxTries = 16

/** The action of each frame type, by its name in `frameAuthorizer`. */
const actionOf = {
  user_message: 'send',
  text_input: 'send',
  oob: 'tell',
  answer: 'answer',
  cancel: 'cancel'
} as const

/** Close codes (RFC 6455, 7.4.1). */
const closeCodes = { unsupported: 1003, refused: 1008, failed: 1011, restart: 1012, full: 1013 }

/** The session that the last accepted hello connected the socket to. */
type Conversation = { sessionId: string; admit: FrameAuthorizer; end: AbortController; place: OpenStream }

/**
 * Serves one WebSocket (000-9), an adapter over the verbs of the HTTP API with the same credentials, limits and errors.
 * It handles frames one at a time, in order. For each frame it reads the type, checks the sender's permission and only
 * then parses the rest. A socket ends within 5 s after its reader loses access. After hello, a socket is an open stream
 * of its reader. A socket over the limit is closed with 1013. `request` is the upgrade request. `onHello` is called
 * after the first hello is accepted, and when the socket closes.
 */
export function serveSocket(
  socket: WebSocket,
  request: Request,
  verbs: SocketVerbs,
  onHello: () => void = () => undefined
): void {
  const write = writerTo(socket)
  limitFrames(socket, maxFrameBytes.unknown)
  let conversation: Conversation | undefined
  let queued = 0
  let queue: Promise<void> = Promise.resolve()
  let isAlive = true
  let tries = 0

  const helloTimer = setTimeout(() => socket.close(closeCodes.refused, 'Send a hello frame first.'), helloMs)
  const pings = setInterval(() => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
  }, pingMs)
  const onClosing = () =>
    socket.close(closeCodes.restart, 'The server is restarting. Reconnect with your cursor.')
  runtime().closing.addEventListener('abort', onClosing)

  socket.on('pong', () => {
    isAlive = true
  })
  socket.on('error', error => log('debug', 'a socket failed', { error }))
  socket.on('close', () => {
    onHello()
    clearTimeout(helloTimer)
    clearInterval(pings)
    runtime().closing.removeEventListener('abort', onClosing)
    conversation?.end.abort()
    conversation?.place.leave()
  })
  socket.on('message', (data, isBinary) => {
    if (isBinary) return socket.close(closeCodes.unsupported, 'Send frames as JSON text.')
    queued += 1
    if (queued >= maxQueued) socket.pause()
    queue = queue
      .then(() => handleFrame(String(data)))
      .finally(() => {
        queued -= 1
        if (queued < maxQueued) socket.resume()
      })
  })

  async function handleFrame(text: string): Promise<void> {
    if (conversation === undefined && ++tries > maxTries)
      return socket.close(closeCodes.refused, 'Send a hello frame first.')
    let name: FrameName | undefined
    const count = async () => conversation?.admit.count()
    // Parsing a large frame is slow, so it counts before that. A small frame is parsed first, so that the error can
    // name it.
    const isLarge = text.length > maxFrameBytes.unknown
    try {
      if (isLarge) await count()
      let json: unknown
      try {
        json = parseJson(text)
        name = parseInput(FrameName, json)
      } finally {
        if (!isLarge) await count()
      }
      await write(await respondTo(name, json))
    } catch (error) {
      await sendError(error, name)
    }
  }

  async function sendError(error: unknown, frame: { id?: string | undefined } | undefined) {
    const { apiError } = await apiErrorFor({ method: 'WS', headers: request.headers }, '/ws', error)
    await write({
      type: 'error',
      ...replyTo(frame),
      code: apiError.code,
      error: apiError.message,
      ...apiError.extra
    })
    const code = error instanceof ApiError ? error.code : apiError.code
    const isUnauthenticated = ['UNAUTHENTICATED', 'FOREIGN_ORIGIN'].includes(code)
    if (isUnauthenticated || (conversation === undefined && code === 'FORBIDDEN'))
      // The frame has the message. A close reason has at most 123 bytes, and the message can contain untrusted text.
      socket.close(closeCodes.refused, apiError.code)
  }

  async function respondTo(name: FrameName, json: unknown): Promise<ServerFrame> {
    if (name.type === 'ping') return { type: 'pong', ...replyTo(name) }
    if (name.type === 'hello') return handleHello(parseInput(Hello, json))
    if (conversation === undefined)
      throw invalid('Send a hello frame first: {"type":"hello","sessionId":"…"}.')
    const { sessionId, admit } = conversation
    const ctx = await admit(actionOf[name.type])
    const frame = parseInput(ClientFrame, json)
    if ('sessionId' in frame && frame.sessionId !== undefined && frame.sessionId !== sessionId)
      throw invalid(
        `This socket is connected to the session "${sessionId}". To use another session, send a hello frame for it first.`
      )
    switch (frame.type) {
      case 'user_message':
      case 'text_input': {
        const { type, id, clientMessageId, key = clientMessageId, ...input } = frame
        const receipt = await verbs.send(ctx, { ...input, key, sessionId })
        return { type: 'message_accepted', ...replyTo(frame), ...receipt }
      }
      case 'oob': {
        const { type, id, ...input } = frame
        const { id: oobId, ...receipt } = await verbs.sendOutOfBand(ctx, { ...input, sessionId })
        return { type: 'oob_accepted', ...replyTo(frame), oobId, ...receipt }
      }
      case 'answer': {
        const { toolCallId, answer } = frame
        const answered = await verbs.answer(ctx, { sessionId, toolCallId, answer })
        return { type: 'answer_accepted', ...replyTo(frame), ...answered }
      }
      case 'cancel': {
        const { turnId, calls } = frame
        const cancelled = await verbs.cancel(ctx, { sessionId, turnId, calls })
        return { type: 'cancel_accepted', ...replyTo(frame), ...cancelled }
      }
    }
  }

  /** Connects the socket to a session, or moves it to another one. */
  async function handleHello({
    sessionId,
    after,
    token,
    ...frame
  }: z.output<typeof Hello>): Promise<ServerFrame> {
    const admit = frameAuthorizer(request, token)
    const end = new AbortController()
    const ctx = await admit('follow')
    const events = await verbs.follow(ctx, { sessionId, after }, end.signal)
    conversation?.end.abort()
    conversation?.place.leave()
    const slot = openStream(ctx.actor, admit.look)
    conversation = { sessionId, admit, end, place: slot }
    clearTimeout(helloTimer)
    limitFrames(socket, maxFrameBytes.known)
    onHello()
    if (socket.readyState !== socket.OPEN) {
      end.abort()
      slot.leave()
    }
    // The events must follow `session_ready`, which is written after this function returns.
    setImmediate(() => void streamEvents(events, conversation as Conversation))
    return { type: 'session_ready', ...replyTo(frame), sessionId, uptime: uptime() }
  }

  function openStream(actor: Actor, look: FrameAuthorizer['look']): OpenStream {
    try {
      return runtime().streams(actor, look)
    } catch (error) {
      // The close must follow the frame that says why.
      setImmediate(() => socket.close(closeCodes.full, 'RATE_LIMITED'))
      throw error
    }
  }

  /** Writes the session's events as fast as the client reads, until it disconnects or its reader loses access. */
  async function streamEvents(events: AsyncIterable<SessionEvent>, { end, place: { signal } }: Conversation) {
    const onAccessLost = async () => {
      end.abort()
      await sendError(signal.reason, undefined)
      socket.close(closeCodes.refused)
    }
    signal.addEventListener('abort', onAccessLost)
    const aliveTimer = setInterval(() => void write({ type: 'alive' }), aliveMs)
    try {
      for await (const event of untilAborted(events, end.signal)) await write({ type: 'event', event })
      if (!end.signal.aborted) socket.close(closeCodes.refused, 'The session has ended.')
    } catch (error) {
      log('error', 'a socket ended early', { error })
      socket.close(closeCodes.failed)
    } finally {
      clearInterval(aliveTimer)
    }
  }
}

const replyTo = (frame: { id?: string | undefined } | undefined) =>
  frame?.id === undefined ? {} : { re: frame.id }
