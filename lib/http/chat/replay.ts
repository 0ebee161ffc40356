import { isDeepStrictEqual } from 'node:util'
import type { Call } from '#lib/protocol/call/call.ts'
import type { Chunk } from '#lib/protocol/session/event.ts'
import { isToolPart, type Message, type MessagePart } from '#lib/protocol/session/message.ts'
import type { PostedMessage, PostedPart } from './post.ts'
import { openChunks, partOf, type ShownTool, settledChunks, writtenChunks } from './tool-chunks.ts'

/** The chunk ID of a text that was streaming when it was folded: the fold does not know it any more. */
export const resumedText = 'resumed'

type Calls = ReadonlyMap<string, Call>

/** The chunks that make these parts again, as they are now. What still streams is left open. */
export const replay = (parts: readonly MessagePart[], calls: Calls): Chunk[] =>
  parts.flatMap((part, index) => chunksOf(part, `${index}`, calls))

function chunksOf(part: MessagePart, index: string, calls: Calls): Chunk[] {
  if (isToolPart(part)) return toolChunks(part as unknown as ShownTool, calls.get(part.toolCallId))
  switch (part.type) {
    case 'step-start':
      return [{ type: 'start-step' }]
    case 'text':
    case 'reasoning': {
      const streams = part.state === 'streaming'
      const known = (part as { id?: string }).id
      const id =
        part.type === 'reasoning' && known !== undefined ? known : streams ? resumedText : `text-${index}`
      const metadata = part.providerMetadata === undefined ? {} : { providerMetadata: part.providerMetadata }
      return [
        { type: `${part.type}-start`, id, ...metadata },
        ...(part.text === '' ? [] : [{ type: `${part.type}-delta` as const, id, delta: part.text }]),
        ...(streams ? [] : [{ type: `${part.type}-end` as const, id }])
      ] as Chunk[]
    }
    default:
      // A file, a source, our own data: the part is its chunk.
      return [part as unknown as Chunk]
  }
}

function toolChunks(part: ShownTool, call: Call | undefined): Chunk[] {
  if (call?.state === 'open') return openChunks(call)
  const shown = call === undefined ? part : partOf(call)
  return [...writtenChunks(shown), ...settledChunks(shown)]
}

/**
 * What a client that goes on writing to a message lacks of it: outcomes of its calls, and what was written since, by
 * another tab's turn for instance. A last step that it has in part only is dropped and written again.
 */
export function catchUp(
  theirs: PostedMessage,
  ours: Message,
  calls: Calls,
  answered: ReadonlySet<string>
): Chunk[] {
  const known = stepsOf(theirs.parts)
  const steps = stepsOf(ours.parts as PostedPart[])
  const last = Math.min(known.length, steps.length) - 1
  const whole = last < 0 || (isSame(known[last], steps[last]) && !steps[last]?.some(isStreaming))
  const kept = whole ? last + 1 : last
  const chunks = steps
    .slice(0, kept)
    .flat()
    .flatMap(part => {
      const call = calls.get(String(part.toolCallId))
      const mine = theirs.parts.find(
        ({ toolCallId }) => toolCallId !== undefined && toolCallId === part.toolCallId
      )
      return call === undefined || mine === undefined ? [] : outcomeFor(mine, call, answered)
    })
  const rest = steps.slice(kept).flat() as unknown as MessagePart[]
  if (whole) return [...chunks, ...replay(rest, calls)]
  // `reset-step` keeps the step's beginning.
  const written = rest[0]?.type === 'step-start' ? rest.slice(1) : rest
  return [...chunks, { type: 'reset-step' }, ...replay(written, calls)]
}

/** What this client has not heard of a call whose part it has. */
export function outcomeFor(mine: PostedPart, call: Call, answered: ReadonlySet<string>): Chunk[] {
  if (isShown(mine, call)) return []
  // Approved, and now it waits for whoever fulfils it.
  if (call.state === 'open') return mine.state === 'approval-responded' ? openChunks(call) : []
  return settledChunks(partOf(call), { own: answered.has(call.toolCallId), ran: call.where === 'server' })
}

/** Whether a client's part says of a call what it has come to. */
export function isShown(mine: PostedPart, call: Call): boolean {
  const ours = partOf(call)
  return (
    mine.state === ours.state &&
    isDeepStrictEqual(mine.output, ours.output) &&
    (mine.errorText ?? '') === (ours.errorText ?? '')
  )
}

/** The parts by step, each with its `step-start`. What we told a client in passing is no part of the message. */
function stepsOf(parts: readonly PostedPart[]): PostedPart[][] {
  const steps: PostedPart[][] = []
  for (const part of parts) {
    if (inPassing.has(part.type)) continue
    if (part.type === 'step-start' || steps.length === 0) steps.push([])
    steps.at(-1)?.push(part)
  }
  return steps
}

const inPassing = new Set(['data-call-settled', 'data-delivery', 'steering-message'])

const isSame = (a: PostedPart[] = [], b: PostedPart[] = []) =>
  a.length === b.length &&
  a.every(
    (part, i) => part.type === b[i]?.type && part.toolCallId === b[i]?.toolCallId && part.text === b[i]?.text
  )

const isStreaming = ({ state }: PostedPart) => state === 'streaming' || state === 'input-streaming'
