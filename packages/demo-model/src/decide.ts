import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { acknowledgments, describeAcknowledged } from './acknowledge.ts'
import { describeResult } from './describe-result.ts'
import { introduce } from './introduce.ts'
import type { Part } from './part.ts'
import { isCritical, lateResult, type Progress, progressOf } from './progress.ts'
import { quote } from './quote.ts'
import type { Notice } from './read-notice.ts'
import { readPrompt } from './read-prompt.ts'
import { readScript } from './read-script.ts'
import { sumUp } from './sum-up.ts'
import { takeStep } from './take-step.ts'

/**
 * Returns the parts of the next reply, at least one. They depend only on the prompt, the offered tools and `now`
 * (milliseconds since 1970), so a repeated step makes the same calls. Only times relative to `now` differ.
 */
export function decide(
  prompt: LanguageModelV4Prompt,
  tools: readonly LanguageModelV4FunctionTool[],
  now: number
): Part[] {
  const summary = sumUp(prompt)
  if (summary !== undefined) return [text(summary)]
  const progress = progressOf(readPrompt(prompt))
  const next = nextParts(progress, tools, now)
  const notes = [...describeNotices(progress, now), ...pendingNote(progress), ...planNote(progress, next)]
  const said = notes.length ? [text(notes.join(' ')), ...next] : next
  const parts = [...said, ...acknowledgments(progress, tools, next.length > 0)]
  if (parts.length) return parts
  return [text(describeAcknowledged(progress, now) ?? 'Nothing new has arrived since my last message.')]
}

const text = (content: string): Part => ({ kind: 'text', text: content })

/** Returns the next step of the script, or a final reply that quotes its results. Empty if neither is due. */
function nextParts(progress: Progress, tools: readonly LanguageModelV4FunctionTool[], now: number): Part[] {
  const { message, stepsDone, isDue, isStopped } = progress
  if (!message || !isDue) return []
  const script = message.text ? readScript(message.text, now) : undefined
  if (!script && message.isNew) return [text(introductionFor(message, tools))]
  const step = script?.[stepsDone]
  if (step && !isStopped) return takeStep(script!, stepsDone, tools)
  const announced = new Set(progress.notices.map(notice => (notice.kind === 'answer' ? notice.callId : '')))
  const unreported = progress.results.filter(result => !announced.has(result.callId))
  const left = step
    ? [`I stop here, with ${count(script!.length - stepsDone, 'step')} of your request left.`]
    : []
  const sentences = [...describeResults(unreported, now), ...left]
  return sentences.length ? [text(sentences.join(' '))] : []
}

const MAX_RESULTS = 5

function describeResults(results: Progress['results'], now: number): string[] {
  const sentences = results.slice(-MAX_RESULTS).map(result => describeResult(result, now))
  const more = results.length - sentences.length
  return more > 0 ? [`See ${count(more, 'earlier result')} above.`, ...sentences] : sentences
}

/** The message of an alarm that went off. `lib/features/alarms/fire-alarm.ts` writes it. */
const alarmMessage = /^\[Alarm Clock\] (.+) \(due [^()]+\)$/s

/** Another message that the server sends, such as about an account that was connected after its request had ended. */
const serverMessage = /^\[(Alarm Clock|Connections)\] /

/**
 * Returns the reply to a message without a command or a known phrase. It lists the attached files first. For a message
 * from the server, it repeats the reminder, or says that it saw the message.
 */
function introductionFor(
  message: { text: string; files: readonly string[] },
  tools: readonly LanguageModelV4FunctionTool[]
): string {
  const [, reminder] = alarmMessage.exec(message.text) ?? []
  if (reminder !== undefined) return `Here is your reminder: ${quote(reminder)}.`
  const [prefix, sender] = serverMessage.exec(message.text) ?? []
  if (prefix !== undefined)
    return `I saw the message from ${sender}: ${quote(message.text.slice(prefix.length))}. I follow fixed rules, so send the next command when you are ready.`
  const files = message.files.length
    ? `You sent ${message.files.join('; ')}. I cannot look at ${message.files.length === 1 ? 'it' : 'them'}, because I follow fixed rules. `
    : ''
  return `${files}${introduce(tools)}`
}

const MAX_NOTICES = 5

/** The kinds of senders of out-of-band messages, for a sentence. */
const senders: Readonly<Record<string, string>> = {
  user: 'a person',
  agent: 'another agent',
  system: 'the system',
  external: 'an external system'
}

/** Describes the newest notices since the last step in a sentence each, and counts the others. */
function describeNotices({ notices }: Progress, now: number): string[] {
  const sentences = notices.slice(-MAX_NOTICES).map(notice => describeNotice(notice, now))
  const more = notices.length - sentences.length
  return more > 0 ? [`I saw ${count(more, 'earlier notice')}.`, ...sentences] : sentences
}

function describeNotice(notice: Notice, now: number): string {
  switch (notice.kind) {
    case 'answer': {
      const late = lateResult(notice)
      return `The answer to \`${late.tool}\` arrived: ${describeResult(late, now)}`
    }
    case 'out-of-band': {
      const from = notice.source ? ` from ${senders[notice.source] ?? notice.source}` : ''
      const priority = notice.priority ? ` (${notice.priority})` : ''
      return `I saw the out-of-band message${from}${priority}: ${quote(notice.text.replace(/\.$/, ''))}.`
    }
    case 'note':
      return `I saw the note ${quote(notice.text)}.`
  }
}

/** Names the pending calls after a new message or notice, but not at every step. */
function pendingNote({ message, notices, pending }: Progress): string[] {
  if (pending.length === 0 || (!message?.isNew && notices.length === 0)) return []
  const names = [...new Set(pending.map(call => `\`${call.tool}\``))].join(', ')
  return [
    message?.isNew
      ? `I am still waiting for ${names}. Meanwhile, I answer your message.`
      : `I am still waiting for ${names}.`
  ]
}

/** Says after a notice if the script continues. A new message replaces the script, so no sentence is needed. */
function planNote({ notices, isDue, pending, message }: Progress, next: readonly Part[]): string[] {
  if (notices.length === 0 || message?.isNew) return []
  if (notices.some(isCritical)) return ['It is critical, so I stop working on your request.']
  if (isDue) return next.length ? ['I continue with your request.'] : ['That was all I was waiting for.']
  if (pending.some(call => call.isOfScript)) return ['The rest of your request has to wait too.']
  return notices.every(({ kind }) => kind === 'answer') ? [] : ['There is nothing else to do.']
}

const count = (n: number, noun: string): string => (n === 1 ? `1 ${noun}` : `${n} ${noun}s`)
