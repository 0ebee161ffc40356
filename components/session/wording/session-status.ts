import type { Call } from '@waystation/protocol/call/call.ts'
import { elicitHintOf } from '@waystation/protocol/call/elicitation.ts'
import { waitingFor as waitingIn, waitsForPerson } from '@waystation/protocol/call/pending.ts'
import type { SessionStatus, TurnError } from '@waystation/protocol/session/event.ts'
import type { Transcript } from '@waystation/protocol/session/fold.ts'
import { deliveryOf } from '@waystation/protocol/session/message-parts.ts'
import { clock, length } from '#components/browser/format-time.ts'
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

type OnlineKind = Exclude<FaceKind, 'reconnecting'>
type Facts = { status: SessionStatus; waitingFor: readonly Call[]; mayAnswer?: boolean; empty?: boolean }

/** Returns the shape of a session. Calls for people take precedence over calls for external services. */
export function kindOf({ status, waitingFor, mayAnswer = true, empty = false }: Facts): OnlineKind {
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
  /** The number of requests for the user. */
  requests?: number
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
  { mayAnswer, approvers, requests = 1, offline, now, deliveries = {}, system }: Viewer
): Face {
  if (offline) return { kind: 'reconnecting', sentence: 'Reconnecting… Unsent answers are saved' }
  const { status, messages } = transcript
  const waiting = waitingIn(Object.values(transcript.calls))
  const kind = kindOf({ status, waitingFor: waiting, mayAnswer, empty: messages.length === 0 })
  const trouble =
    kind === 'parked-other'
      ? waiting.map(call => troubleOf(call, deliveries[call.toolCallId])).find(words => words !== undefined)
      : undefined
  if (transcript.agentStatus !== undefined) return { kind: 'running', sentence: transcript.agentStatus.text }
  const newest = messages.at(-1)?.message
  const sent =
    system === undefined || newest?.role !== 'user'
      ? undefined
      : messageWords(system, deliveryOf(newest), { now, replied: false })
  if (sent !== undefined) return { kind: sent.failed ? 'failed' : kind, sentence: sent.headline }
  const asks = transcript.subAgents?.waiting ?? 0
  if (asks > 0 && (kind === 'parked-other' || kind === 'idle'))
    return { kind: mayAnswer ? 'parked' : 'not-mine', sentence: subAgentWords(asks) }
  const sentence =
    trouble?.replace(/\.$/, '') ?? sentenceOf(kind, transcript, waiting, now, approvers, requests)
  return { kind, sentence }
}

/**
 * True while a turn runs, or while an external agent works: it shows a status, or has the newest message and has not
 * replied.
 */
export function canStop({ status, agentStatus, messages }: Transcript): boolean {
  if (status === 'running' || agentStatus !== undefined) return true
  const newest = messages.at(-1)?.message
  const delivery = newest && deliveryOf(newest)
  return delivery !== undefined && delivery.state !== 'failed' && delivery.stopped === undefined
}

/** Describes how many requests of sub-agents are waiting for the user. */
export const subAgentWords = (asks: number): string =>
  asks === 1 ? 'A sub-agent is waiting for you' : `${asks} sub-agent requests are waiting for you`

function sentenceOf(
  kind: OnlineKind,
  transcript: Transcript,
  waiting: readonly Call[],
  now: number | undefined,
  approvers: string | undefined,
  requests: number
): string {
  const systems = waiting.filter(call => !waitsForPerson(call)).length
  const mine = requests > 1 ? `${requests} requests for you` : 'Waiting for you'
  const [first] = waiting
  const oldest = waiting.map(call => call.since).sort()[0]
  const since = oldest === undefined || now === undefined ? '' : ` since ${clock(oldest, now)}`
  const until = first === undefined || now === undefined ? '' : ` until ${clock(first.deadline, now)}`
  switch (kind) {
    case 'empty':
      return 'No messages yet'
    case 'idle':
      return 'Ready'
    case 'running':
      return workingOf(transcript, now)
    case 'parked':
      return `${mine}${until}`
    case 'not-mine':
      return `Waiting for ${approvers ?? 'an approver'}`
    case 'both':
      return `${mine} and ${systems} external ${systems === 1 ? 'system' : 'systems'}`
    case 'parked-other': {
      const names = [...new Set(waiting.map(systemOf))]
      return `Waiting for ${names.length === 1 ? names[0] : `${names.length} external systems`}${since}`
    }
    case 'failed':
      return failureOf(transcript, now)
  }
}

/**
 * Returns "Stopped: the model answered 429." or "Retry at 14:07: the model answered 429.", with the first sentence
 * of the error. The time comes first, because the text can be cut. The error's row shows the rest.
 */
function failureOf({ error, retryAt }: Transcript, now: number | undefined): string {
  const what = firstSentence(error)
  const lower = /^[A-Z][a-z]/.test(what) ? what.charAt(0).toLowerCase() + what.slice(1) : what
  // A quoted error can end with its own punctuation mark.
  return `${retryText(retryAt, now) || 'Stopped: '}${lower}.`.replace(/([.!?][”"’'])\.$/, '$1')
}

const retryText = (retryAt: string | undefined, now: number | undefined) =>
  retryAt && now !== undefined ? `Retry at ${clock(retryAt, now)}: ` : ''

const firstSentence = (error: TurnError | undefined) =>
  error?.message.split(/(?<=[.!?])\s/)[0]?.replace(/[.\s]+$/, '') || 'the turn failed'

/** Returns the second line of a row whose turn failed: "Retry at 14:02: The model answered 429". */
export function failedLine(
  error: TurnError | undefined,
  retryAt: string | undefined,
  now: number | undefined
): string {
  return retryText(retryAt, now) + firstSentence(error)
}

/**
 * Returns "Working · web-fetch · 4 s": the running tool and its time, or the time since the turn's newest
 * message.
 */
function workingOf(transcript: Transcript, now: number | undefined): string {
  const tool = Object.values(transcript.calls).find(
    ({ claimedAt, ranAt, state }) =>
      claimedAt !== undefined && ranAt === undefined && (state === 'open' || state === 'approved')
  )
  const newest = transcript.messages.findLast(({ message }) => message.metadata?.queued === undefined)
  const since = tool?.claimedAt ?? newest?.message.metadata?.createdAt
  const time = since !== undefined && now !== undefined && length(Math.max(1000, now - Date.parse(since)))
  return ['Working', tool?.toolName, time].filter(Boolean).join(' · ')
}

/**
 * Returns the second line of a session's row: why the session waits, such as "Fetch example.com" or "2 requests". Returns
 * an empty string if it does not wait.
 */
export function whyOf(calls: readonly Call[], now: number | undefined): string {
  const first = waitingIn(calls).sort((a, b) => Number(waitsForPerson(b)) - Number(waitsForPerson(a)))[0]
  if (first === undefined) return ''
  if (!waitsForPerson(first)) {
    const system = systemOf(first)
    return now === undefined ? system : `${system} · ${length(Math.max(1000, now - Date.parse(first.since)))}`
  }
  const people = calls.filter(waitsForPerson).length
  const what = {
    connection: `connect ${connectHintOf(first).service}`,
    limit: 'continue?',
    question: elicitHintOf(first)?.message ?? salientArgument(first.input)
  }
  return people > 1
    ? `${people} requests`
    : (what[first.kind as keyof typeof what] ?? describeCall(first).short)
}
