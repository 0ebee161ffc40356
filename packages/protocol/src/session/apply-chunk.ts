import type { Chunk } from './event.ts'
import type { Message, MessagePart, ToolPart } from './message.ts'
import { isToolPart } from './message-parts.ts'

/**
 * A message while it is folded. `streaming` maps the chunk IDs of open text and reasoning parts to their indexes.
 * Nothing is mutated: a changed message is a new object that shares its unchanged parts. So a list that compares by
 * identity redraws only the changes.
 */
export type FoldedMessage = { message: Message; streaming: Readonly<Record<string, number>> }

/**
 * Returns the fold state of a stored message, which can be unfinished. Open parts of its newest step continue. A
 * reasoning part stores the ID of its chunks. A text part does not, so the last open text receives deltas with an
 * unknown ID.
 */
export const foldedMessage = (message: Message): FoldedMessage => {
  const streaming: Record<string, number> = {}
  for (const [i, part] of message.parts.entries()) {
    if (i <= stepStart(message) || !('state' in part) || part.state !== 'streaming') continue
    if (part.type === 'text') streaming[unnamedText] = i
    if (part.type === 'reasoning') streaming[`reasoning:${(part as { id?: string }).id ?? ''}`] = i
  }
  return { message, streaming }
}

const unnamedText = 'text:'

/** Returns the key in `streaming` of the part that a chunk belongs to. */
function keyOf(folded: FoldedMessage, kind: 'text' | 'reasoning', id: string): string {
  const key = `${kind}:${id}`
  return kind === 'reasoning' || key in folded.streaming ? key : unnamedText
}

/**
 * Applies one chunk to a message. It is the AI SDK's fold of a UI message stream (`processUIMessageStream` of ai@7),
 * but synchronous and incremental, for the chunks in a log. A chunk that does not fit (a delta without its start, an
 * unknown type) is ignored, since a newer server can send it. A test compares the result with the SDK's reader.
 */
export function applyChunk(folded: FoldedMessage, chunk: Chunk): FoldedMessage {
  switch (chunk.type) {
    case 'start':
    case 'message-metadata':
      return withMetadata(folded, chunk.messageMetadata)
    case 'finish':
      return withMetadata(folded, chunk.messageMetadata)
    case 'start-step':
      return append(folded, { type: 'step-start' })
    case 'finish-step':
      return { ...folded, streaming: {} }
    case 'reset-step':
      return {
        message: { ...folded.message, parts: folded.message.parts.slice(0, stepStart(folded.message) + 1) },
        streaming: {}
      }
    case 'text-start':
      return stream(folded, `text:${chunk.id}`, {
        type: 'text',
        text: '',
        state: 'streaming',
        ...metadata(chunk)
      })
    case 'reasoning-start':
      return stream(folded, `reasoning:${chunk.id}`, {
        type: 'reasoning',
        id: chunk.id,
        text: '',
        state: 'streaming',
        ...metadata(chunk)
      })
    case 'text-delta':
    case 'reasoning-delta': {
      const index =
        folded.streaming[keyOf(folded, chunk.type === 'text-delta' ? 'text' : 'reasoning', chunk.id)]
      return patch(folded, index, part =>
        'text' in part
          ? ({ ...part, text: part.text + chunk.delta, ...metadata(chunk) } as MessagePart)
          : part
      )
    }
    case 'text-end':
    case 'reasoning-end': {
      const key = keyOf(folded, chunk.type === 'text-end' ? 'text' : 'reasoning', chunk.id)
      const ended = patch(
        folded,
        folded.streaming[key],
        part => ({ ...part, state: 'done', ...metadata(chunk) }) as MessagePart
      )
      const { [key]: _, ...streaming } = ended.streaming
      return { message: ended.message, streaming }
    }
    case 'file':
    case 'reasoning-file':
      return append(folded, {
        type: chunk.type,
        mediaType: chunk.mediaType,
        url: chunk.url,
        ...metadata(chunk)
      } as MessagePart)
    case 'source-url':
      return append(folded, {
        type: 'source-url',
        sourceId: chunk.sourceId,
        url: chunk.url,
        ...(chunk.title === undefined ? {} : { title: chunk.title }),
        ...metadata(chunk)
      })
    case 'tool-input-start':
      return tool(folded, chunk.toolCallId, chunk.toolName, { state: 'input-streaming', input: undefined })
    case 'tool-input-delta': {
      const part = toolPart(folded.message, chunk.toolCallId)
      if (part?.state !== 'input-streaming') return folded
      return patchTool(folded, chunk.toolCallId, {
        rawInput: ((part.rawInput as string) ?? '') + chunk.inputTextDelta
      })
    }
    case 'tool-input-available':
      return tool(folded, chunk.toolCallId, chunk.toolName, {
        state: 'input-available',
        input: chunk.input,
        rawInput: undefined,
        ...(chunk.providerMetadata === undefined ? {} : { callProviderMetadata: chunk.providerMetadata })
      })
    case 'tool-input-error':
      return tool(folded, chunk.toolCallId, chunk.toolName, {
        state: 'output-error',
        input: chunk.input,
        rawInput: undefined,
        errorText: chunk.errorText
      })
    case 'data-notice':
    case 'data-oob':
    case 'data-hook':
    case 'data-handoff':
    case 'data-compaction':
    case 'data-committed-revision': {
      const part = {
        type: chunk.type,
        ...(chunk.id === undefined ? {} : { id: chunk.id }),
        data: chunk.data
      } as MessagePart
      const index =
        chunk.id === undefined
          ? -1
          : folded.message.parts.findIndex(p => p.type === chunk.type && p.id === chunk.id)
      return index < 0 ? append(folded, part) : patch(folded, index, () => part)
    }
    default:
      return folded
  }
}

/** Changes the part of one call, anywhere in the message. Settlements use it. */
export const patchTool = (folded: FoldedMessage, toolCallId: string, change: object): FoldedMessage =>
  patch(folded, toolIndex(folded.message, toolCallId), part => defined({ ...part, ...change }) as MessagePart)

const metadata = (chunk: { providerMetadata?: unknown }) =>
  chunk.providerMetadata === undefined ? {} : { providerMetadata: chunk.providerMetadata as never }

const toolIndex = (message: Message, toolCallId: string) =>
  message.parts.findLastIndex(part => isToolPart(part) && part.toolCallId === toolCallId)

const toolPart = (message: Message, toolCallId: string) =>
  message.parts[toolIndex(message, toolCallId)] as (ToolPart & { rawInput?: unknown }) | undefined

const stepStart = (message: Message) => message.parts.findLastIndex(part => part.type === 'step-start')

function append(folded: FoldedMessage, part: MessagePart): FoldedMessage {
  return { ...folded, message: { ...folded.message, parts: [...folded.message.parts, part] } }
}

function stream(folded: FoldedMessage, key: string, part: MessagePart): FoldedMessage {
  const next = append(folded, part)
  return { ...next, streaming: { ...next.streaming, [key]: next.message.parts.length - 1 } }
}

function patch(
  folded: FoldedMessage,
  index: number | undefined,
  change: (part: MessagePart) => MessagePart
): FoldedMessage {
  const part = index === undefined ? undefined : folded.message.parts[index]
  if (part === undefined) return folded
  return {
    ...folded,
    message: { ...folded.message, parts: folded.message.parts.with(index as number, change(part)) }
  }
}

/** Changes a tool part of the current step, or appends a new one: a provider can reuse the IDs of earlier steps. */
function tool(folded: FoldedMessage, toolCallId: string, toolName: string, change: object): FoldedMessage {
  const index = toolIndex(folded.message, toolCallId)
  if (index > stepStart(folded.message)) return patchTool(folded, toolCallId, change)
  return append(folded, defined({ type: `tool-${toolName}`, toolCallId, ...change }) as MessagePart)
}

function withMetadata(folded: FoldedMessage, change: unknown): FoldedMessage {
  if (change === undefined || change === null) return folded
  return {
    ...folded,
    message: { ...folded.message, metadata: { ...folded.message.metadata, ...change } as Message['metadata'] }
  }
}

const defined = (part: object) =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined))
