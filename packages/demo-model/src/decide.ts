import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from '@ai-sdk/provider'
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
 * The demo model's whole mind: what to do next in this conversation. A pure function of the prompt, the tools on
 * offer and the time (milliseconds since 1970), so a step that is run again comes out the same.
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
  const news = [...newsOf(progress, now), ...waitingNote(progress), ...planNote(progress, next)]
  const parts = news.length ? [text(news.join(' ')), ...next] : next
  return parts.length ? parts : [text('Nothing new has arrived since my last message.')]
}

const text = (words: string): Part => ({ kind: 'text', text: words })

/** The next step of the script, or a last word that quotes what came back; nothing when neither is due. */
function nextParts(progress: Progress, tools: readonly LanguageModelV4FunctionTool[], now: number): Part[] {
  const { said, stepsDone, isDue, isStopped } = progress
  if (!said || !isDue) return []
  const script = said.text ? readScript(said.text, now) : undefined
  if (!script && said.isNew) return [text(firstWord(said, tools))]
  const step = script?.[stepsDone]
  if (step && !isStopped) return takeStep(script!, stepsDone, tools)
  const announced = new Set(progress.notices.map(notice => (notice.kind === 'answer' ? notice.callId : '')))
  const untold = progress.results.filter(result => !announced.has(result.callId))
  const left = step
    ? [`I stop here, with ${count(script!.length - stepsDone, 'step')} of your request left.`]
    : []
  const words = [...resultWords(untold, now), ...left]
  return words.length ? [text(words.join(' '))] : []
}

const MOST_RESULTS = 5

function resultWords(results: Progress['results'], now: number): string[] {
  const words = results.slice(-MOST_RESULTS).map(result => describeResult(result, now))
  const more = results.length - words.length
  return more > 0 ? [`See ${count(more, 'earlier result')} above.`, ...words] : words
}

function firstWord(
  said: { text: string; files: readonly string[] },
  tools: readonly LanguageModelV4FunctionTool[]
): string {
  const files = said.files.length
    ? `You sent ${said.files.join('; ')}. I cannot look at ${said.files.length === 1 ? 'it' : 'them'}, because I follow fixed rules. `
    : ''
  return `${files}${introduce(tools)}`
}

/** One sentence for each thing that came in since the last step, the newest few of them. */
function newsOf({ notices }: Progress, now: number): string[] {
  const words = notices.slice(-MOST_NEWS).map(notice => noticeWords(notice, now))
  const more = notices.length - words.length
  return more > 0 ? [`I saw ${count(more, 'earlier notice')}.`, ...words] : words
}

const MOST_NEWS = 5

function noticeWords(notice: Notice, now: number): string {
  switch (notice.kind) {
    case 'answer': {
      const late = lateResult(notice)
      return `The answer to \`${late.tool}\` arrived: ${describeResult(late, now)}`
    }
    case 'out-of-band': {
      const from = notice.source ? ` from ${notice.source}` : ''
      const priority = notice.priority ? ` (${notice.priority})` : ''
      return `I saw the out-of-band message${from}${priority}: ${quote(notice.text)}.`
    }
    case 'note':
      return `I saw the note ${quote(notice.text)}.`
  }
}

/** Which calls are still without an answer, said with every new message and notice, not with every step. */
function waitingNote({ said, notices, waiting }: Progress): string[] {
  if (waiting.length === 0 || (!said?.isNew && notices.length === 0)) return []
  const names = [...new Set(waiting.map(call => `\`${call.tool}\``))].join(', ')
  return [
    said?.isNew
      ? `I am still waiting for ${names}. Meanwhile, I answer your message.`
      : `I am still waiting for ${names}.`
  ]
}

/** What becomes of the script after a notice. */
function planNote({ notices, isDue, waiting, said }: Progress, next: readonly Part[]): string[] {
  if (notices.length === 0 || said?.isNew) return []
  if (notices.some(isCritical)) return ['It is critical, so I stop working on your request.']
  if (isDue) return next.length ? ['I continue with your request.'] : ['That was all I was waiting for.']
  if (waiting.some(call => call.isOfScript)) return ['The rest of your request has to wait too.']
  return notices.every(({ kind }) => kind === 'answer') ? [] : ['There is nothing else to do.']
}

const count = (n: number, what: string): string => (n === 1 ? `1 ${what}` : `${n} ${what}s`)
