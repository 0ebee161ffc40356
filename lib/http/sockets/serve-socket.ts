import type { WebSocket } from 'ws'
import type { z } from 'zod'
import { parseInput } from '#lib/http/request/parse-input.ts'
import { parseJson } from '#lib/http/request/parse-json.ts'
import { refusalTo } from '#lib/http/response/refusal-to.ts'
import { untilAborted } from '#lib/http/until-aborted.ts'
import { uptime } from '#lib/http/uptime.ts'
import type { Actor, Ctx } from '#lib/kernel/ctx.ts'
import { log } from '#lib/kernel/log.ts'
import type { OpenStream } from '#lib/kernel/ports/open-streams.ts'
import { invalid, Refusal } from '#lib/kernel/refusal.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import type { Answered } from '#lib/protocol/call/call.ts'
import type { OobReceipt, SendOob } from '#lib/protocol/out-of-band/out-of-band.ts'
import type { SessionEvent } from '#lib/protocol/session/event.ts'
import type {
  AnswerCall,
  CancelTurn,
  FollowEvents,
  SendMessage,
  SendReceipt
} from '#lib/protocol/session/session.ts'
import { ClientFrame, FrameName, Hello, type ServerFrame } from '#lib/protocol/socket.ts'
import { type Admit, frameAuthorizer } from './authorize-frame.ts'
import { limitFrames } from './limit-frames.ts'
import { writerTo } from './write-frame.ts'

/** What a socket does: the verbs of the HTTP doors. */
export type SocketVerbs = {
  follow: (ctx: Ctx, input: FollowEvents, signal: AbortSignal) => Promise<AsyncIterable<SessionEvent>>
  send: (ctx: Ctx, input: SendMessage) => Promise<SendReceipt>
  tell: (ctx: Ctx, input: SendOob) => Promise<OobReceipt>
  answer: (ctx: Ctx, input: AnswerCall) => Promise<Answered>
  cancel: (ctx: Ctx, input: CancelTurn) => Promise<{ turnId: string | null }>
}

/** Whoever has not said hello by then goes. Milliseconds. */
const helloMs = 10_000
/** How often a socket is asked whether it is still there. Milliseconds. */
const pingMs = 30_000
/** How often a follower hears that the connection works: a browser's page cannot see a ping. Milliseconds. */
const aliveMs = 15_000
/** Frames that wait for the one that is being done; more are not read. */
const mostWaiting = 16

/** The most bytes of a frame: of somebody unknown, and of whoever has said hello (as any body of the API). */
const most = { unknown: 4096, known: 2 * 1024 * 1024 }
/** As many frames may go wrong before the hello. */
const mostTries = 16

/** What the other frames do, as `authorizeFrame` knows it. */
const doing = {
  user_message: 'send',
  text_input: 'send',
  oob: 'tell',
  answer: 'answer',
  cancel: 'cancel'
} as const

/** Why a socket is closed (RFC 6455, 7.4.1). */
const closed = { unsupported: 1003, refused: 1008, failed: 1011, restart: 1012, full: 1013 }

/** The session a socket is about since its last hello. */
type Conversation = { sessionId: string; admit: Admit; end: AbortController; place: OpenStream }

/**
 * Serves one WebSocket (000-9): an adapter over the verbs of the HTTP doors, with the same credentials, limits and refusals.
 * Frames are handled one after the other, in the order they came: first the name is read, then the sender and their right are
 * checked, then the rest is read. A socket ends within 5 s of its reader losing the right to read. One that has said hello is
 * an open stream of its reader; one too many is closed with 1013. `request` asked for the upgrade. `onKnown` is called when the sender is known, and when the socket closes.
 */
export function serveSocket(
  socket: WebSocket,
  request: Request,
  verbs: SocketVerbs,
  onKnown: () => void = () => undefined
): void {
  const write = writerTo(socket)
  limitFrames(socket, most.unknown)
  let conversation: Conversation | undefined
  let waiting = 0
  let last: Promise<void> = Promise.resolve()
  let there = true
  let tries = 0

  const helloTimer = setTimeout(() => socket.close(closed.refused, 'Send a hello frame first.'), helloMs)
  const pings = setInterval(() => {
    if (!there) return socket.terminate()
    there = false
    socket.ping()
  }, pingMs)
  const onClosing = () =>
    socket.close(closed.restart, 'The server is restarting. Reconnect with your cursor.')
  runtime().closing.addEventListener('abort', onClosing)

  socket.on('pong', () => {
    there = true
  })
  socket.on('error', error => log('debug', 'a socket failed', { error }))
  socket.on('close', () => {
    onKnown()
    clearTimeout(helloTimer)
    clearInterval(pings)
    runtime().closing.removeEventListener('abort', onClosing)
    conversation?.end.abort()
    conversation?.place.leave()
  })
  socket.on('message', (data, isBinary) => {
    if (isBinary) return socket.close(closed.unsupported, 'Send frames as JSON text.')
    waiting += 1
    if (waiting >= mostWaiting) socket.pause()
    last = last
      .then(() => take(String(data)))
      .finally(() => {
        waiting -= 1
        if (waiting < mostWaiting) socket.resume()
      })
  })

  async function take(text: string): Promise<void> {
    if (conversation === undefined && ++tries > mostTries)
      return socket.close(closed.refused, 'Send a hello frame first.')
    let name: FrameName | undefined
    const count = async () => conversation?.admit.count()
    // Reading a large frame takes long, so it counts first. The response to a small one can name it.
    const isLarge = text.length > most.unknown
    try {
      if (isLarge) await count()
      let said: unknown
      try {
        said = parseJson(text)
        name = parseInput(FrameName, said)
      } finally {
        if (!isLarge) await count()
      }
      await write(await answerTo(name, said))
    } catch (error) {
      await refuse(error, name)
    }
  }

  async function refuse(error: unknown, frame: { id?: string | undefined } | undefined) {
    const { refusal } = await refusalTo({ method: 'WS', headers: request.headers }, '/ws', error)
    await write({ type: 'error', ...re(frame), code: refusal.code, error: refusal.message, ...refusal.extra })
    const code = error instanceof Refusal ? error.code : refusal.code
    const isNobody = ['UNAUTHENTICATED', 'FOREIGN_ORIGIN'].includes(code)
    if (isNobody || (conversation === undefined && code === 'FORBIDDEN'))
      // The frame has the words; a reason may have 123 bytes, and words may hold what a stranger wrote.
      socket.close(closed.refused, refusal.code)
  }

  async function answerTo(name: FrameName, said: unknown): Promise<ServerFrame> {
    if (name.type === 'ping') return { type: 'pong', ...re(name) }
    if (name.type === 'hello') return hello(parseInput(Hello, said))
    if (conversation === undefined)
      throw invalid('Send a hello frame first: {"type":"hello","sessionId":"…"}.')
    const { sessionId, admit } = conversation
    const ctx = await admit(doing[name.type])
    const frame = parseInput(ClientFrame, said)
    if ('sessionId' in frame && frame.sessionId !== undefined && frame.sessionId !== sessionId)
      throw invalid(
        `This socket is connected to the session "${sessionId}". To use another session, send a hello frame for it first.`
      )
    switch (frame.type) {
      case 'user_message':
      case 'text_input': {
        const { type, id, clientMessageId, key = clientMessageId, ...input } = frame
        const receipt = await verbs.send(ctx, { ...input, key, sessionId })
        return { type: 'message_accepted', ...re(frame), ...receipt }
      }
      case 'oob': {
        const { type, id, ...input } = frame
        const { id: oobId, ...receipt } = await verbs.tell(ctx, { ...input, sessionId })
        return { type: 'oob_accepted', ...re(frame), oobId, ...receipt }
      }
      case 'answer': {
        const { toolCallId, answer } = frame
        const answered = await verbs.answer(ctx, { sessionId, toolCallId, answer })
        return { type: 'answer_accepted', ...re(frame), ...answered }
      }
      case 'cancel': {
        const { turnId, calls } = frame
        const cancelled = await verbs.cancel(ctx, { sessionId, turnId, calls })
        return { type: 'cancel_accepted', ...re(frame), ...cancelled }
      }
    }
  }

  /** Begins with a session, or goes over to another one. */
  async function hello({ sessionId, after, token, ...frame }: z.output<typeof Hello>): Promise<ServerFrame> {
    const admit = frameAuthorizer(request, token)
    const end = new AbortController()
    const ctx = await admit('follow')
    const events = await verbs.follow(ctx, { sessionId, after }, end.signal)
    conversation?.end.abort()
    conversation?.place.leave()
    const place = placeOf(ctx.actor, admit.look)
    conversation = { sessionId, admit, end, place }
    clearTimeout(helloTimer)
    limitFrames(socket, most.known)
    onKnown()
    if (socket.readyState !== socket.OPEN) {
      end.abort()
      place.leave()
    }
    // Behind `session_ready`, which is written when this returns.
    setImmediate(() => void tell(events, conversation as Conversation))
    return { type: 'session_ready', ...re(frame), sessionId, uptime: uptime() }
  }

  function placeOf(actor: Actor, look: Admit['look']): OpenStream {
    try {
      return runtime().streams(actor, look)
    } catch (error) {
      // Behind the frame that says why.
      setImmediate(() => socket.close(closed.full, 'RATE_LIMITED'))
      throw error
    }
  }

  /** Writes what happens, as fast as it is read, until the reader goes or may no longer read. */
  async function tell(events: AsyncIterable<SessionEvent>, { end, place: { signal } }: Conversation) {
    const onUnwelcome = async () => {
      end.abort()
      await refuse(signal.reason, undefined)
      socket.close(closed.refused)
    }
    signal.addEventListener('abort', onUnwelcome)
    const alive = setInterval(() => void write({ type: 'alive' }), aliveMs)
    try {
      for await (const event of untilAborted(events, end.signal)) await write({ type: 'event', event })
      if (!end.signal.aborted) socket.close(closed.refused, 'The session has ended.')
    } catch (error) {
      log('error', 'a socket ended early', { error })
      socket.close(closed.failed)
    } finally {
      clearInterval(alive)
    }
  }
}

const re = (frame: { id?: string | undefined } | undefined) =>
  frame?.id === undefined ? {} : { re: frame.id }
