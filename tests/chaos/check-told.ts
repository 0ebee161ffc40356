import type { OutOfBand } from '#lib/protocol/out-of-band/out-of-band.ts'
import type { Operation } from './history.ts'
import { keyOf, twice } from './keys.ts'
import type { EndOfSession, State } from './state.ts'

type Look = (operations: Operation[], session: EndOfSession, state: State) => string[]

/** An out-of-band message as the log tells of it: where it came in, and each state with the place of its event. */
type LoggedOob = {
  id: string
  key: string
  seq: number
  path: { status: OutOfBand['status']; seq: number; effect: string | undefined }[]
}

/** Those of a session, in the order in which they came in. */
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

/** Where the log says that the agent was told it. */
export const toldAt = ({ path }: LoggedOob): number | undefined =>
  path.find(({ status }) => status === 'injected')?.seq

const endOf = ({ path }: LoggedOob) => path.at(-1)?.status

/** The promises about out-of-band messages, each with who looks whether it was kept. */
export const toldLooks = {
  /** Each went its way (docs/out-of-band.md, "Receipts"), the API says of it what the log says, and the agent's words are its own. */
  receipts: (_, session) => {
    const listed = new Map(session.outOfBand.map(one => [one.id, one]))
    return oobsOf(session).flatMap(one => {
      const way = one.path.map(({ status }) => status).join(' ')
      const effect = one.path.at(-1)?.effect
      const api = listed.get(one.id)?.status
      return [
        ...(/^visible( injected( acknowledged)*| cancelled| expired)?$/.test(way)
          ? []
          : [`${one.id} was ${way}.`]),
        ...(api === undefined || api === endOf(one)
          ? []
          : [`${one.id} is ${endOf(one)} in the log, and ${api} in the list.`]),
        ...(effect === undefined || effect === one.key ? [] : [`${one.id} was acknowledged with ${effect}.`])
      ]
    })
  },

  /** What was told is in the prompt once, in the order of its receipts, and nothing else is: nothing that was taken back. */
  told: (_, session) => {
    if (session.external) return []
    const receipts = oobsOf(session)
      .flatMap(one => ({ id: one.id, at: toldAt(one) }))
      .filter(one => one.at !== undefined)
      .sort((a, b) => Number(a.at) - Number(b.at))
      .map(({ id }) => id)
    const prompt = session.told.map(({ id }) => id)
    const known = new Set(receipts)
    const found = [
      ...twice(prompt).map(id => `The model has ${id} more than once.`),
      ...prompt.filter(id => !known.has(id)).map(id => `The model has ${id}, of which no receipt says so.`),
      ...receipts.filter(id => !prompt.includes(id)).map(id => `${id} is said to be told, and was not.`)
    ]
    const other = prompt.findIndex((id, n) => id !== receipts[n])
    if (found.length === 0 && other >= 0)
      found.push(`The model was told ${prompt[other]} where the receipts have ${receipts[other]}.`)
    return found
  },

  /** What was taken back stays so; what could not be was told; and nothing is taken back by itself. */
  'taken back': (operations, session) => {
    const asked = operations.filter(({ verb }) => verb === 'take-back')
    return oobsOf(session).flatMap(one => {
      const mine = asked.filter(({ key }) => key === one.key)
      const end = endOf(one)
      const came = (outcome: Operation['outcome']) => mine.some(one => one.outcome === outcome)
      if (came('ok') && end !== 'cancelled') return [`${one.id} was taken back, and is ${end}.`]
      if (came('failed') && toldAt(one) === undefined)
        return [`${one.id} could not be taken back, and is ${end}.`]
      if (end === 'cancelled' && mine.every(({ outcome }) => outcome === 'failed'))
        return [`${one.id} was taken back by nobody.`]
      return []
    })
  },

  /** What is critical waits for nothing while nothing runs, except what stopped a turn. */
  urgent: (operations, session) => {
    const aborts = new Set(operations.flatMap(({ abort, key }) => (abort ? [key] : [])))
    return session.waited
      .filter(
        ({ priority, status, content }) =>
          priority === 'critical' && status === 'visible' && !aborts.has(keyOf(content))
      )
      .map(({ id }) => `${id} is critical, and waited while all was at rest.`)
  },

  /** Critical input settles only calls of ours that nobody had begun: not one that somebody else answers, nor one with an effect. */
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
} satisfies Record<string, Look>
