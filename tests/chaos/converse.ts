import { setTimeout as pause } from 'node:timers/promises'
import type { Call } from '#lib/protocol/call/call.ts'
import type { SessionEvent } from '#lib/protocol/session/event.ts'
import { follow, type Reader } from './follow.ts'
import type { Operation } from './history.ts'
import { operate, type Run, type Wanted } from './operate.ts'
import type { Random } from './seeded.ts'
import { tellMuch } from './tell.ts'

/** What goes on in one session, as its clients see it. */
export type Conversation = {
  readers: Reader[]
  /** Resolves when those who send have sent their last. What the agent asks is answered all the same. */
  over: Promise<unknown>
}

/** So many messages may wait for their turn before a client waits too. */
const mostWaiting = 4

type What = 'talk' | 'fetch' | 'ask' | 'leave'

/** What is asked for, and how often in a hundred. */
const shares: [What, number][] = [
  ['talk', 45],
  ['fetch', 25],
  ['ask', 22],
  ['leave', 8]
]

/**
 * A session's clients: somebody who sends all kinds of messages, and sometimes steers, interrupts or stops; somebody who
 * only queues, or is refused while it is busy; somebody who answers what is asked, and now and then a second one who answers otherwise at the same time;
 * somebody who tells it things out of band; and two readers who come and go.
 */
export function converse(run: Run, session: string, randomOf: (name: string) => Random): Conversation {
  const waiting = new Set<string>()
  const asked = new Set<string>()
  const answering = randomOf(`${session} answers`)

  const onEvent = (event: SessionEvent) => {
    if (event.type === 'message' && event.message.metadata?.queued !== undefined)
      waiting.add(event.message.id)
    else if (event.type === 'message') waiting.delete(event.message.id)
    else if (event.type === 'call') onCall(event.call)
  }
  const onCall = ({ toolCallId, state, kind, input }: Call) => {
    const { question } = input as { question?: string }
    if (state !== 'open' || kind !== 'question' || !question?.startsWith('ask') || asked.has(toolCallId))
      return
    asked.add(toolCallId)
    const names = answering.chance(1 / 5) ? ['yes', 'no'] : ['yes']
    for (const value of names)
      void operate(run, answering, {
        verb: 'answer',
        session,
        sender: `${session} says ${value}`,
        key: toolCallId,
        value,
        path: `/api/sessions/${session}/calls/${toolCallId}/answer`,
        body: { output: { answer: value } }
      })
  }

  const everything = async () => {
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
      await between(run, random, () => waiting.size < mostWaiting)
    }
  }
  const talk = async () => {
    const random = randomOf(`${session} ben`)
    for (let n = 0; run.going(); n++) {
      const mode = random.chance(0.15) ? 'reject' : 'queue'
      await send(run, random, { session, sender: 'ben', n, what: 'talk', mode })
      await between(run, random, () => waiting.size < mostWaiting)
    }
  }
  const clients = Promise.all([everything(), talk(), tellMuch(run, randomOf(`${session} eve`), session)])
  const readers = [0, 1].map(n =>
    follow(run, randomOf(`${session} reader ${n}`), {
      session,
      reader: `${session} reader ${n}`,
      onEvent: n === 0 ? onEvent : () => undefined
    })
  )
  return { readers, over: clients }
}

/** Somebody who sends to the external agent, somebody who tells it things out of band, and a reader. */
export function dictate(run: Run, session: string, randomOf: (name: string) => Random): Conversation {
  const sends = async () => {
    const random = randomOf(`${session} ann`)
    for (let n = 0; run.going(); n++) {
      await send(run, random, { session, sender: 'ann', n, what: 'talk', mode: 'queue' })
      await between(run, random, () => true)
    }
  }
  const onEvent = () => undefined
  const reader = follow(run, randomOf(`${session} reader`), { session, reader: `${session} reader`, onEvent })
  return {
    readers: [reader],
    over: Promise.all([sends(), tellMuch(run, randomOf(`${session} eve`), session)])
  }
}

/** A message; its key is a word of its text. */
export function send(
  run: Run,
  random: Random,
  {
    session,
    sender,
    n,
    what,
    mode
  }: { session: string; sender: string; n: number; what: What; mode: NonNullable<Wanted['mode']> }
): Promise<Operation> {
  const key = `${session}.${sender}.${n}`
  const body = { text: `${what} ${key} in ${session}`, key, whenBusy: mode }
  const path = `/api/sessions/${session}/messages`
  return operate(run, random, {
    verb: 'send',
    session,
    sender: `${session} ${sender}`,
    key,
    mode,
    path,
    body
  })
}

/** A stop has no key: asked twice it stops what runs then. */
const cancel = (run: Run, random: Random, session: string, n: number) =>
  operate(run, random, {
    verb: 'cancel',
    session,
    sender: `${session} ann`,
    key: `${session}.cancel.${n}`,
    path: `/api/sessions/${session}/cancel`,
    body: {}
  })

/** Thinks, and waits until there is room. */
async function between(run: Run, random: Random, room: () => boolean): Promise<void> {
  do await pause(random.below(200))
  while (run.going() && !room())
}
