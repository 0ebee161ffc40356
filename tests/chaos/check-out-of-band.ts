import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { workerDied } from '#lib/engine/worker/crashes.ts'
import type { Operation } from './history.ts'
import { keyOf, twice } from './keys.ts'
import type { EndOfSession, State } from './state.ts'

type CheckFunction = (operations: Operation[], session: EndOfSession, state: State) => string[]

/**
 * An out-of-band message according to the log: the seq of its first event, and each status with the seq of its
 * event.
 */
type LoggedOob = {
  id: string
  key: string
  seq: number
  path: { status: OutOfBand['status']; seq: number; effect: string | undefined }[]
}

/** Returns the out-of-band messages of a session in the order in which they arrived. */
export function oobsOf(session: EndOfSession): LoggedOob[] {
  const oobs = new Map<string, LoggedOob>()
  for (const { seq, event } of session.log) {
    if (event.type !== 'oob') continue
    const { id, content, status, effect } = event.message
    const known = oobs.get(id) ?? { id, key: keyOf(content), seq, path: [] }
    known.path.push({ status, seq, effect })
    oobs.set(id, known)
  }
  return [...oobs.values()]
}

/** Returns the seq of the event that records the injection into the prompt, or undefined if there is none. */
export const injectedAt = ({ path }: LoggedOob): number | undefined =>
  path.find(({ status }) => status === 'injected')?.seq

const endOf = ({ path }: LoggedOob) => path.at(-1)?.status

/** The checks for out-of-band messages, by guarantee. */
export const outOfBandChecks = {
  /**
   * Each message has a valid sequence of statuses (docs/out-of-band.md, "Receipts"). The list of the API matches the
   * log, and an acknowledgement has the effect that the model sent.
   */
  receipts: (_, session) => {
    const listed = new Map(session.outOfBand.map(message => [message.id, message]))
    return oobsOf(session).flatMap(message => {
      const statuses = message.path.map(({ status }) => status).join(' ')
      const effect = message.path.at(-1)?.effect
      const api = listed.get(message.id)?.status
      return [
        ...(/^visible( injected( acknowledged)*| cancelled| expired)?$/.test(statuses)
          ? []
          : [`${message.id} was ${statuses}.`]),
        ...(api === undefined || api === endOf(message)
          ? []
          : [`${message.id} is ${endOf(message)} in the log, and ${api} in the list.`]),
        ...(effect === undefined || effect === message.key
          ? []
          : [`${message.id} was acknowledged with ${effect}.`])
      ]
    })
  },

  /**
   * The prompt has each injected message exactly once, in the order of the receipts, and no other out-of-band
   * message.
   */
  injected: (_, session) => {
    if (session.external) return []
    const receipts = oobsOf(session)
      .flatMap(message => ({ id: message.id, at: injectedAt(message) }))
      .filter(message => message.at !== undefined)
      .sort((a, b) => Number(a.at) - Number(b.at))
      .map(({ id }) => id)
    const prompt = session.outOfBandInPrompt.map(({ id }) => id)
    const known = new Set(receipts)
    const problems = [
      ...twice(prompt).map(id => `The model has ${id} more than once.`),
      ...prompt.filter(id => !known.has(id)).map(id => `The model has ${id}, of which no receipt says so.`),
      ...receipts.filter(id => !prompt.includes(id)).map(id => `${id} is said to be told, and was not.`)
    ]
    const mismatch = prompt.findIndex((id, n) => id !== receipts[n])
    if (problems.length === 0 && mismatch >= 0)
      problems.push(`The model was told ${prompt[mismatch]} where the receipts have ${receipts[mismatch]}.`)
    return problems
  },

  /**
   * A cancelled message stays cancelled, a message that could not be cancelled was injected, and no message is
   * cancelled without a request.
   */
  cancelled: (operations, session) => {
    const requests = operations.filter(({ verb }) => verb === 'cancel-oob')
    return oobsOf(session).flatMap(message => {
      const own = requests.filter(({ key }) => key === message.key)
      const end = endOf(message)
      const hasOutcome = (outcome: Operation['outcome']) =>
        own.some(operation => operation.outcome === outcome)
      if (hasOutcome('ok') && end !== 'cancelled') return [`${message.id} was taken back, and is ${end}.`]
      if (hasOutcome('failed') && injectedAt(message) === undefined)
        return [`${message.id} could not be taken back, and is ${end}.`]
      if (end === 'cancelled' && own.every(({ outcome }) => outcome === 'failed'))
        return [`${message.id} was taken back by nobody.`]
      return []
    })
  },

  /**
   * A critical message never waits in an idle session, unless it aborted a turn, or the turn failed because its step kills
   * workers. Nothing starts on its own after that (`lib/engine/worker/crashes.ts`).
   */
  urgent: (operations, session) => {
    const aborts = new Set(operations.flatMap(({ abort, key }) => (abort ? [key] : [])))
    const diedAt = session.log.findLast(
      ({ event }) => event.type === 'status' && event.error?.code === workerDied
    )?.seq
    const seqs = new Map(oobsOf(session).map(({ id, seq }) => [id, seq]))
    return session.waited
      .filter(
        ({ id, priority, status, content }) =>
          priority === 'critical' &&
          status === 'visible' &&
          !aborts.has(keyOf(content)) &&
          !((seqs.get(id) ?? Number.POSITIVE_INFINITY) < (diedAt ?? 0))
      )
      .map(({ id }) => `${id} is critical, and waited while all was at rest.`)
  },

  /**
   * Critical input settles only our own calls that have not started. Calls that others answer and calls with an
   * effect stay open.
   */
  superseded: (_, session, { effects }) => {
    let critical = false
    return session.log.flatMap(({ event }) => {
      critical ||= event.type === 'oob' && event.message.priority === 'critical'
      if (event.type !== 'call' || !event.call.errorText?.startsWith('Superseded by critical input'))
        return []
      const { toolCallId, kind, input, claimedAt } = event.call
      const { url = '' } = input as { url?: string }
      const { pathname = '' } = URL.canParse(url) ? new URL(url) : {}
      return [
        ...(critical ? [] : [`${toolCallId} was superseded by nothing.`]),
        ...(kind === 'server' || kind === 'approval'
          ? []
          : [`${toolCallId} is a ${kind}, and was superseded.`]),
        ...(claimedAt === undefined && !effects.includes(pathname)
          ? []
          : [`${toolCallId} was superseded, and had begun.`])
      ]
    })
  }
} satisfies Record<string, CheckFunction>
