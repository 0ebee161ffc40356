import { isDeepStrictEqual } from 'node:util'
import type { Call } from '@waystation/protocol/call/call.ts'
import type { Chunk } from '@waystation/protocol/session/event.ts'
import type { Message, MessagePart } from '@waystation/protocol/session/message.ts'
import { isToolPart } from '@waystation/protocol/session/message-parts.ts'
import type { PostedMessage, PostedPart } from './post.ts'
import { openChunks, partOf, type ShownTool, settledChunks, writtenChunks } from './tool-chunks.ts'

/** The chunk ID of a text that was streaming when it was folded, because the fold does not keep the original ID. */
export const resumedText = 'resumed'

type Calls = ReadonlyMap<string, Call>

/** Returns the chunks that recreate these parts in their current state. Parts that are still streaming stay open. */
export const replay = (parts: readonly MessagePart[], calls: Calls): Chunk[] =>
  parts.flatMap((part, index) => chunksOf(part, `${index}`, calls))

function chunksOf(part: MessagePart, index: string, calls: Calls): Chunk[] {
  if (isToolPart(part)) return toolChunks(part as unknown as ShownTool, calls.get(part.toolCallId))
  switch (part.type) {
    case 'step-start':
      return [{ type: 'start-step' }]
    case 'text':
    case 'reasoning': {
      const isOpen = part.state === 'streaming'
      const idOfPart = (part as { id?: string }).id
      const id =
        part.type === 'reasoning' && idOfPart !== undefined
          ? idOfPart
          : isOpen
            ? resumedText
            : `text-${index}`
      const metadata = part.providerMetadata === undefined ? {} : { providerMetadata: part.providerMetadata }
      return [
        { type: `${part.type}-start`, id, ...metadata },
        ...(part.text === '' ? [] : [{ type: `${part.type}-delta` as const, id, delta: part.text }]),
        ...(isOpen ? [] : [{ type: `${part.type}-end` as const, id }])
      ] as Chunk[]
    }
    default:
      // A file, a source or a data part is its own chunk.
      return [part as unknown as Chunk]
  }
}

function toolChunks(part: ShownTool, call: Call | undefined): Chunk[] {
  if (call?.state === 'open') return openChunks(call)
  const shown = call === undefined ? part : partOf(call)
  return [...writtenChunks(shown), ...settledChunks(shown)]
}

/**
 * Returns what a client's copy of a message lacks: outcomes of its calls, and newer parts, which another tab's turn can
 * write. If the client has only some of the last step, that step is reset and written again.
 */
export function missingChunks(
  theirs: PostedMessage,
  current: Message,
  calls: Calls,
  answered: ReadonlySet<string>
): Chunk[] {
  const storedSteps = stepsOf(theirs.parts)
  const steps = stepsOf(current.parts as PostedPart[])
  const last = Math.min(storedSteps.length, steps.length) - 1
  const isComplete = last < 0 || (isSame(storedSteps[last], steps[last]) && !steps[last]?.some(isStreaming))
  const stepCount = isComplete ? last + 1 : last
  const chunks = steps
    .slice(0, stepCount)
    .flat()
    .flatMap(part => {
      const call = calls.get(String(part.toolCallId))
      const theirPart = theirs.parts.find(
        ({ toolCallId }) => toolCallId !== undefined && toolCallId === part.toolCallId
      )
      return call === undefined || theirPart === undefined ? [] : outcomeFor(theirPart, call, answered)
    })
  const rest = steps.slice(stepCount).flat() as unknown as MessagePart[]
  if (isComplete) return [...chunks, ...replay(rest, calls)]
  // `reset-step` keeps the step's `step-start`.
  const withoutStart = rest[0]?.type === 'step-start' ? rest.slice(1) : rest
  return [...chunks, { type: 'reset-step' }, ...replay(withoutStart, calls)]
}

/** Returns the chunks for the outcome of a call whose part the client has. */
export function outcomeFor(theirPart: PostedPart, call: Call, answered: ReadonlySet<string>): Chunk[] {
  if (isShown(theirPart, call)) return []
  // The call is approved, and now waits for its fulfilment.
  if (call.state === 'open') return theirPart.state === 'approval-responded' ? openChunks(call) : []
  return settledChunks(partOf(call), { own: answered.has(call.toolCallId), ran: call.where === 'server' })
}

/** Returns whether a client's part already shows the state of a call. */
export function isShown(theirPart: PostedPart, call: Call): boolean {
  const current = partOf(call)
  return (
    theirPart.state === current.state &&
    isDeepStrictEqual(theirPart.output, current.output) &&
    (theirPart.errorText ?? '') === (current.errorText ?? '')
  )
}

/** Groups the parts by step, each with its `step-start`. Transient parts do not belong to the message. */
function stepsOf(parts: readonly PostedPart[]): PostedPart[][] {
  const steps: PostedPart[][] = []
  for (const part of parts) {
    if (transientTypes.has(part.type)) continue
    if (part.type === 'step-start' || steps.length === 0) steps.push([])
    steps.at(-1)?.push(part)
  }
  return steps
}

const transientTypes = new Set(['data-call-settled', 'data-delivery', 'steering-message'])

const isSame = (a: PostedPart[] = [], b: PostedPart[] = []) =>
  a.length === b.length &&
  a.every(
    (part, i) => part.type === b[i]?.type && part.toolCallId === b[i]?.toolCallId && part.text === b[i]?.text
  )

const isStreaming = ({ state }: PostedPart) => state === 'streaming' || state === 'input-streaming'
