import type { LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import { describeAttachment, describeFile } from './read-files.ts'
import { type Notice, readNotices } from './read-notice.ts'

/** The tool for out-of-band messages. Its calls are not part of what the user asked for. */
export const acknowledgeTool = 'acknowledge_out_of_band'

/** One entry of a conversation, as the demo model sees it. */
export type Entry =
  /** A message from the user, with a description of each attached file. */
  | { kind: 'message'; text: string; files: string[] }
  | { kind: 'notice'; notice: Notice }
  /** An earlier model step with its calls. */
  | { kind: 'step'; calls: { callId: string; tool: string }[] }
  | { kind: 'result'; result: Result }

/** The result of a call. If it is `pending`, the answer arrives later as a notice. */
export type Result = {
  callId: string
  tool: string
  outcome: 'ok' | 'failed' | 'denied' | 'pending'
  /** The output, the error, or the reason of a denial. */
  value: unknown
}

/** Converts a prompt to entries, oldest first. Skips system messages, because the model follows no instructions. */
export const readPrompt = (prompt: LanguageModelV4Prompt): Entry[] => prompt.flatMap(readMessage)

function readMessage(message: LanguageModelV4Prompt[number]): Entry[] {
  switch (message.role) {
    case 'system':
      return []
    case 'user': {
      const attached = message.content.map(part =>
        part.type === 'file' ? describeFile(part) : describeAttachment(part)
      )
      const files = attached.filter(description => description !== undefined)
      const text = message.content
        .map((part, index) => (part.type === 'text' && attached[index] === undefined ? part.text : ''))
        .join('\n')
      const { notices, message: userText } = readNotices(text)
      const entries = notices.map((notice): Entry => ({ kind: 'notice', notice }))
      return userText || files.length > 0 ? [...entries, { kind: 'message', text: userText, files }] : entries
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
      return { callId, tool, outcome: isStillWaiting(output.value) ? 'pending' : 'ok', value: output.value }
    case 'content': {
      const pieces = output.value.map(piece => (piece.type === 'text' ? piece.text : `(${piece.type})`))
      return { callId, tool, outcome: 'ok', value: pieces.join(' ') }
    }
  }
}

/**
 * Returns true for `stillWaiting`, the result of a deferred call (`lib/engine/turn/prompt.ts`). The length limit
 * excludes long results that contain the same phrases, such as a fetched page.
 */
const isStillWaiting = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.length < 400 &&
  /\bstill waiting\b/i.test(value) &&
  /\banswer/i.test(value)
