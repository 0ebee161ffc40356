import type { LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import { attachedIn, fileWords } from './read-files.ts'
import { type Notice, readNotices } from './read-notice.ts'

/** A prompt as the demo model sees it: one line of things that happened, oldest first. */
export type Entry =
  /** `files`: what each attached one is, in words. */
  | { kind: 'said'; text: string; files: string[] }
  | { kind: 'notice'; notice: Notice }
  /** One earlier step of the model, with the calls it made. */
  | { kind: 'step'; calls: { callId: string; tool: string }[] }
  | { kind: 'result'; result: Result }

/** What came back from a call. `waiting`: nothing yet, its answer will come as a notice. */
export type Result = {
  callId: string
  tool: string
  outcome: 'ok' | 'failed' | 'denied' | 'waiting'
  /** The output as a value, or its text. */
  value: unknown
}

/** Reads a prompt. System messages are left out: the demo model takes no instructions from them. */
export const readPrompt = (prompt: LanguageModelV4Prompt): Entry[] => prompt.flatMap(readMessage)

function readMessage(message: LanguageModelV4Prompt[number]): Entry[] {
  switch (message.role) {
    case 'system':
      return []
    case 'user': {
      const attached = message.content.map(part =>
        part.type === 'file' ? fileWords(part) : attachedIn(part)
      )
      const files = attached.filter(words => words !== undefined)
      const text = message.content
        .map((part, index) => (part.type === 'text' && attached[index] === undefined ? part.text : ''))
        .join('\n')
      const { notices, said } = readNotices(text)
      const entries = notices.map((notice): Entry => ({ kind: 'notice', notice }))
      return said || files.length > 0 ? [...entries, { kind: 'said', text: said, files }] : entries
    }
    case 'assistant': {
      const calls = message.content.filter(part => part.type === 'tool-call')
      return [{ kind: 'step', calls: calls.map(call => ({ callId: call.toolCallId, tool: call.toolName })) }]
    }
    case 'tool':
      return message.content
        .filter(part => part.type === 'tool-result')
        .map((part): Entry => ({ kind: 'result', result: readResult(part) }))
  }
}

function readResult({ toolCallId: callId, toolName: tool, output }: LanguageModelV4ToolResultPart): Result {
  switch (output.type) {
    case 'execution-denied':
      return { callId, tool, outcome: 'denied', value: output.reason ?? '' }
    case 'error-text':
    case 'error-json':
      return { callId, tool, outcome: 'failed', value: output.value }
    case 'text':
    case 'json':
      return { callId, tool, outcome: isStillWaiting(output.value) ? 'waiting' : 'ok', value: output.value }
    case 'content': {
      const pieces = output.value.map(piece => (piece.type === 'text' ? piece.text : `(${piece.type})`))
      return { callId, tool, outcome: 'ok', value: pieces.join(' ') }
    }
  }
}

/**
 * True for the constant that stands in a deferred call's place. Only a short text that is nothing else counts: a
 * page that was fetched may well contain the words.
 */
const isStillWaiting = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.length < 400 &&
  /\bstill waiting\b/i.test(value) &&
  /\banswer/i.test(value)
