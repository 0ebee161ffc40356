import { setTimeout as pause } from 'node:timers/promises'
import type { Call } from '@waystation/protocol/call/call.ts'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import { follow, type Reader } from './follow.ts'
import type { Operation } from './history.ts'
import type { Random } from './seeded.ts'
import { type OperationRequest, type Run, sendOperation } from './send-operation.ts'
import { sendOutOfBandMessages } from './send-out-of-band.ts'

/** The clients of one session. */
export type SessionClients = {
  readers: Reader[]
  /** Resolves when all senders have sent their last message. Open questions are still answered after that. */
  sendersDone: Promise<unknown>
}

/** A client pauses while more messages than this are queued. */
const maxWaiting = 4

type Kind = 'talk' | 'fetch' | 'ask' | 'leave'

/** The kinds of messages and their share in percent. */
const shares: [Kind, number][] = [
  ['talk', 45],
  ['fetch', 25],
  ['ask', 22],
  ['leave', 8]
]

/**
 * Starts the clients of a chat session:
 * - Ann sends all kinds of messages, and sometimes steers, interrupts or stops.
 * - Ben queues messages, or sends them with `reject`, which fails while the session is busy.
 * - A third client answers questions. Sometimes a fourth gives a different answer at the same time.
 * - Eve sends out-of-band messages.
 * - Two readers disconnect and reconnect.
 */
export function startChatClients(
  run: Run,
  session: string,
  randomOf: (name: string) => Random
): SessionClients {
  const waiting = new Set<string>()
  const answeredCalls = new Set<string>()
  const answering = randomOf(`${session} answers`)

  const onEvent = (event: SessionEvent) => {
    if (event.type === 'message' && event.message.metadata?.queued !== undefined)
      waiting.add(event.message.id)
    else if (event.type === 'message') waiting.delete(event.message.id)
    else if (event.type === 'call') onCall(event.call)
  }
  const onCall = ({ toolCallId, state, kind, input }: Call) => {
    const { question } = input as { question?: string }
    if (
      state !== 'open' ||
      kind !== 'question' ||
      !question?.startsWith('ask') ||
      answeredCalls.has(toolCallId)
    )
      return
    answeredCalls.add(toolCallId)
    const values = answering.chance(1 / 5) ? ['yes', 'no'] : ['yes']
    for (const value of values)
      void sendOperation(run, answering, {
        verb: 'answer',
        session,
        sender: `${session} says ${value}`,
        key: toolCallId,
        value,
        path: `/api/sessions/${session}/calls/${toolCallId}/answer`,
        body: { output: { answer: value } }
      })
  }

  const sendAllKinds = async () => {
    const random = randomOf(`${session} ann`)
    for (let n = 0; run.going(); n++) {
      const mode = random.chance(0.1) ? 'interrupt' : random.chance(0.15) ? 'steer' : 'queue'
      await send(run, random, {
        session,
        sender: 'ann',
        n,
        what: random.weighed(shares, ([, share]) => share)[0],
        mode
      })
      if (random.chance(0.12)) await cancel(run, random, session, n)
      await pauseBetweenMessages(run, random, () => waiting.size < maxWaiting)
    }
  }
  const sendTextMessages = async () => {
    const random = randomOf(`${session} ben`)
    for (let n = 0; run.going(); n++) {
      const mode = random.chance(0.15) ? 'reject' : 'queue'
      await send(run, random, { session, sender: 'ben', n, what: 'talk', mode })
      await pauseBetweenMessages(run, random, () => waiting.size < maxWaiting)
    }
  }
  const clients = Promise.all([
    sendAllKinds(),
    sendTextMessages(),
    sendOutOfBandMessages(run, randomOf(`${session} eve`), session)
  ])
  const readers = [0, 1].map(n =>
    follow(run, randomOf(`${session} reader ${n}`), {
      session,
      reader: `${session} reader ${n}`,
      onEvent: n === 0 ? onEvent : () => undefined
    })
  )
  return { readers, sendersDone: clients }
}

/**
 * Starts the clients of a session with the external agent: a sender, a sender of out-of-band messages and a reader.
 */
export function startExternalClients(
  run: Run,
  session: string,
  randomOf: (name: string) => Random
): SessionClients {
  const sendAll = async () => {
    const random = randomOf(`${session} ann`)
    for (let n = 0; run.going(); n++) {
      await send(run, random, { session, sender: 'ann', n, what: 'talk', mode: 'queue' })
      await pauseBetweenMessages(run, random, () => true)
    }
  }
  const onEvent = () => undefined
  const reader = follow(run, randomOf(`${session} reader`), { session, reader: `${session} reader`, onEvent })
  return {
    readers: [reader],
    sendersDone: Promise.all([sendAll(), sendOutOfBandMessages(run, randomOf(`${session} eve`), session)])
  }
}

/** Sends a message whose text contains its key. */
export function send(
  run: Run,
  random: Random,
  {
    session,
    sender,
    n,
    what,
    mode
  }: { session: string; sender: string; n: number; what: Kind; mode: NonNullable<OperationRequest['mode']> }
): Promise<Operation> {
  const key = `${session}.${sender}.${n}`
  const body = { text: `${what} ${key} in ${session}`, key, whenBusy: mode }
  const path = `/api/sessions/${session}/messages`
  return sendOperation(run, random, {
    verb: 'send',
    session,
    sender: `${session} ${sender}`,
    key,
    mode,
    path,
    body
  })
}

/** A stop has no idempotency key: a second request stops the turn that runs at that time. */
const cancel = (run: Run, random: Random, session: string, n: number) =>
  sendOperation(run, random, {
    verb: 'cancel',
    session,
    sender: `${session} ann`,
    key: `${session}.cancel.${n}`,
    path: `/api/sessions/${session}/cancel`,
    body: {}
  })

/** Pauses for a moment, then waits until `room` returns true or the run is over. */
async function pauseBetweenMessages(run: Run, random: Random, room: () => boolean): Promise<void> {
  do await pause(random.below(200))
  while (run.going() && !room())
}
