import type { Call } from '@waystation/protocol/call/call.ts'
import { elicitHintOf } from '@waystation/protocol/call/elicitation.ts'
import { waitingFor as waitingIn, waitsForPerson } from '@waystation/protocol/call/pending.ts'
import type { SessionStatus, TurnError } from '@waystation/protocol/session/event.ts'
import type { Transcript } from '@waystation/protocol/session/fold.ts'
import { deliveryOf } from '@waystation/protocol/session/message-parts.ts'
import { clock, left, length } from '#components/browser/format-time.ts'
import { connectHintOf } from './connect-words.ts'
import { type Deliveries, messageWords, troubleOf } from './delivery-words.ts'
import { describeCall, salientArgument, systemOf } from './describe-call.ts'

/** The shapes that show a session's state. Their forms differ, so they are recognizable without color. */
export type FaceKind =
  | 'empty'
  | 'idle'
  | 'running'
  | 'parked'
  | 'parked-other'
  | 'both'
  | 'failed'
  | 'reconnecting'
  | 'not-mine'

type Facts = { status: SessionStatus; waitingFor: readonly Call[]; mayAnswer?: boolean; empty?: boolean }

/** Returns the shape of a session. Calls for people take precedence over calls for external services. */
export function kindOf({ status, waitingFor, mayAnswer = true, empty = false }: Facts): FaceKind {
  if (status === 'running') return 'running'
  if (status === 'failed') return 'failed'
  const people = waitingFor.filter(waitsForPerson).length
  if (people > 0 && !mayAnswer) return 'not-mine'
  if (people > 0) return people < waitingFor.length ? 'both' : 'parked'
  if (waitingFor.length > 0) return 'parked-other'
  return empty ? 'empty' : 'idle'
}

export type Face = { kind: FaceKind; sentence: string }

type Viewer = {
  mayAnswer: boolean
  approvers?: string | undefined
  offline: boolean
  now: number | undefined
  deliveries?: Deliveries
  /** The agent's name, for the delivery of messages to an external agent. */
  system?: string | undefined
}

/**
 * Returns the shape and the status sentence for a session's header. Without `now`, the sentence contains no
 * times.
 */
export function faceOf(
  transcript: Transcript,
  { mayAnswer, approvers, offline, now, deliveries = {}, system }: Viewer
): Face {
  if (offline) return { kind: 'reconnecting', sentence: 'Reconnecting… Unsent answers are saved' }
  const waiting = waitingIn(Object.values(transcript.calls))
  const kind = kindOf({
    status: transcript.status,
    waitingFor: waiting,
    mayAnswer,
    empty: transcript.messages.length === 0
  })
  const trouble =
    kind === 'parked-other'
      ? waiting.map(call => troubleOf(call, deliveries[call.toolCallId])).find(words => words !== undefined)
      : undefined
  const newest = transcript.messages.at(-1)?.message
  const sent =
    system === undefined || newest?.role !== 'user'
      ? undefined
      : messageWords(system, deliveryOf(newest), { now, replied: false })
  if (sent !== undefined) return { kind: sent.failed ? 'failed' : kind, sentence: sent.headline }
  const asks = transcript.subAgents?.waiting ?? 0
  if (asks > 0 && (kind === 'parked-other' || kind === 'idle'))
    return { kind: mayAnswer ? 'parked' : 'not-mine', sentence: subAgentWords(asks) }
  return {
    kind,
    sentence: trouble?.replace(/\.$/, '') ?? sentenceOf(kind, transcript, waiting, now, approvers)
  }
}

/** Describes how many requests of sub-agents are waiting for the user. */
export const subAgentWords = (asks: number): string =>
  asks === 1 ? 'A sub-agent is waiting for you' : `${asks} sub-agent requests are waiting for you`

function sentenceOf(
  kind: FaceKind,
  transcript: Transcript,
  waiting: readonly Call[],
  now: number | undefined,
  approvers: string | undefined
): string {
  const people = waiting.filter(waitsForPerson)
  const systems = waiting.filter(call => !waitsForPerson(call))
  const first = waiting[0]
  const at = (iso: string | undefined) => (iso === undefined || now === undefined ? '' : clock(iso, now))
  const oldest = (calls: readonly Call[]) => calls.map(call => call.since).sort()[0]
  switch (kind) {
    case 'empty':
      return 'No messages yet'
    case 'idle':
      return 'Ready'
    case 'running':
      return workingOf(transcript, now)
    case 'parked':
      return now === undefined
        ? 'Waiting for you'
        : `Waiting for you since ${at(oldest(people))}, until ${at(first?.deadline)}`
    case 'not-mine':
      return `Waiting for ${approvers ?? 'an approver'}`
    case 'both':
      return `Waiting for you (${people.length} ${people.length === 1 ? 'request' : 'requests'}) and ${systems.length} external system${systems.length === 1 ? '' : 's'}`
    case 'parked-other': {
      const names = [...new Set(systems.map(systemOf))]
      const who = names.length === 1 ? names[0] : `${names.length} external systems`
      return now === undefined ? `Waiting for ${who}` : `Waiting for ${who} since ${at(oldest(systems))}`
    }
    case 'failed':
      return failureOf(transcript.error, transcript.retryAt && at(transcript.retryAt))
    default:
      return 'Reconnecting…'
  }
}

/**
 * Returns "Stopped: the model answered 429. Retry at 14:07", with the first sentence of the error. The
 * error's row shows the rest.
 */
function failureOf(error: TurnError | undefined, retryAt: string | undefined): string {
  const what = firstSentence(error)
  const lower = /^[A-Z][a-z]/.test(what) ? what.charAt(0).toLowerCase() + what.slice(1) : what
  return `Stopped: ${lower}.${retryAt ? ` Retry at ${retryAt}` : ''}`
}

const firstSentence = (error: TurnError | undefined) =>
  error?.message.split(/(?<=[.!?])\s/)[0]?.replace(/[.\s]+$/, '') || 'the turn failed'

/** Returns the second line of a row whose turn failed: "The model answered 429, retry at 14:02". */
export const failedLine = (
  error: TurnError | undefined,
  retryAt: string | undefined,
  now: number | undefined
): string =>
  [firstSentence(error), ...(retryAt && now !== undefined ? [`retry at ${clock(retryAt, now)}`] : [])].join(
    ', '
  )

/**
 * Returns "Working · web-fetch · 4 s": the running tool and its time, or the time since the turn's newest
 * message.
 */
function workingOf(transcript: Transcript, now: number | undefined): string {
  const tool = Object.values(transcript.calls).find(
    call => call.claimedAt !== undefined && call.ranAt === undefined && isRunning(call)
  )
  const newest = transcript.messages.findLast(
    ({ message }) => message.metadata?.queued === undefined
  )?.message
  const since = tool?.claimedAt ?? newest?.metadata?.createdAt
  const name = tool === undefined ? [] : [tool.toolName]
  const time =
    since === undefined || now === undefined ? [] : [length(Math.max(1000, now - Date.parse(since)))]
  return ['Working', ...name, ...time].join(' · ')
}

const isRunning = (call: Call) => call.state === 'open' || call.state === 'approved'

/**
 * Returns the second line of a session's row: why the session waits, such as "approve web-fetch · 6 d left".
 * Returns an empty string if it does not wait.
 */
export function whyOf(calls: readonly Call[], now: number | undefined): string {
  const first = waitingIn(calls).sort((a, b) => Number(waitsForPerson(b)) - Number(waitsForPerson(a)))[0]
  if (first === undefined) return ''
  const time = (words: () => string) => (now === undefined ? [] : [words()])
  if (!waitsForPerson(first))
    return [
      systemOf(first),
      ...time(() => length(Math.max(1000, (now ?? 0) - Date.parse(first.since))))
    ].join(' · ')
  const what = {
    approval: `approve ${first.toolName}`,
    connection: `connect ${connectHintOf(first).service}`,
    limit: 'continue?',
    question: elicitHintOf(first)?.message ?? salientArgument(first.input)
  }
  const said = what[first.kind as keyof typeof what] ?? describeCall(first).short
  return [said, ...time(() => `${left(first.deadline, now ?? 0)} left`)].join(' · ')
}
