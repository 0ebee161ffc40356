import type { Transcript } from '@waystation/protocol/session/fold.ts'
import type { Message, MessagePart } from '@waystation/protocol/session/message.ts'
import { isToolPart } from '@waystation/protocol/session/message-parts.ts'
import type { ListedPrompt } from '@waystation/protocol/session/prompt.ts'
import { plainText } from '#components/browser/plain-text.ts'
import type { Deliveries } from '#components/session/wording/delivery-words.ts'
import { callNode, oneLine, partNode, settledAt, timeOf } from './part-nodes.ts'
import { extentOf, type TraceNode } from './trace-node.ts'

/** The chunks of a message: when its steps started, oldest first, and when the last text arrived, in ms. */
export type Seen = { starts: number[]; lastWords?: number }

type OfMessage = Seen & {
  calls: Transcript['calls']
  deliveries: Deliveries
  prompts: readonly ListedPrompt[]
  isLiveMessage: boolean
  /** The number of earlier steps of the turn. */
  count: number
}

/** Returns the steps of an agent's message, with their calls and plugins, and what happened between the steps. */
export function nodesOf(message: Message, of: OfMessage): TraceNode[] {
  const nodes: TraceNode[] = []
  const steps: TraceNode[] = []
  const isModel = message.parts.some(({ type }) => type === 'step-start')
  message.parts.forEach((part, index) => {
    const row = `${message.id}:${index}`
    if (part.type === 'step-start' || (steps.length === 0 && (isToolPart(part) || hasWords(part)))) {
      const name = isModel ? `Step ${of.count + steps.length + 1}` : 'Reply'
      const id = `${message.id}#${steps.length}`
      steps.push({ id, kind: 'step', name, note: '', row: '', at: 0, children: [] })
      nodes.push(...steps.slice(-1))
    }
    const step = steps.at(-1)
    if (isToolPart(part) && step !== undefined) {
      step.row ||= part.toolCallId
      step.children.push(callNode(part, of.calls[part.toolCallId], of.deliveries[part.toolCallId]))
    } else if (hasWords(part) && step !== undefined) {
      step.row ||= row
      step.note ||= oneLine(plainText(part.text))
    } else {
      const node = partNode(part, row)
      if (node?.kind === 'hook' && step !== undefined) step.children.push(node)
      else if (node !== undefined) nodes.push(node)
    }
  })
  withTimes(message, steps, of)
  withPrompts(steps, of)
  // A notice has no time of its own. It follows what came before it.
  let before = timeOf(message.metadata?.createdAt)
  for (const node of nodes) {
    node.at ||= before
    before = Math.max(before, extentOf(node, node.at).end)
  }
  nodes.push(...of.prompts.flatMap(prompt => failureNodes(prompt, message.id)))
  // A step without visible content is shown only while it runs.
  return nodes.filter(
    ({ kind, row, span, children }) =>
      kind !== 'step' || row !== '' || children.length > 0 || span?.end === undefined
  )
}

function failureNodes(prompt: ListedPrompt, row: string): TraceNode[] {
  if (prompt.error === undefined) return []
  const at = Date.parse(prompt.at)
  const span = { start: at, end: at, tone: 'failed' } as const
  const note = prompt.error.message
  return [
    {
      id: `prompt-${prompt.promptId}`,
      kind: 'failure',
      name: 'Failed attempt',
      note,
      row,
      at,
      span,
      prompt,
      children: []
    }
  ]
}

const hasWords = (part: MessagePart): part is Extract<MessagePart, { text: string }> =>
  (part.type === 'text' || part.type === 'reasoning') && part.text.trim() !== ''

/**
 * Adds the times of a message's steps. Without a start from the events, a step starts when the message was created or
 * the previous step had all its results. It ends when its first call was opened, or with its last text.
 */
function withTimes(message: Message, steps: readonly TraceNode[], of: OfMessage): void {
  let ready = timeOf(message.metadata?.createdAt)
  steps.forEach((step, index) => {
    const own = step.children.flatMap(({ call }) => call ?? [])
    const opened = own.length === 0 ? undefined : Math.min(...own.map(call => Date.parse(call.since)))
    const start = of.starts.at(index - steps.length) ?? ready
    const isLast = index === steps.length - 1
    const end = opened ?? (isLast ? (of.isLiveMessage ? undefined : (of.lastWords ?? start)) : start)
    ready = Math.max(start, opened ?? start, ...own.map(call => settledAt(call) ?? start))
    step.at = start
    step.row ||= message.id
    step.span = {
      start,
      tone: 'model',
      ...(end === undefined ? {} : { end: Math.max(start, end) })
    }
    for (const child of step.children) if (child.at === 0) child.at = start
  })
}

/** Adds the prompts of committed steps. The newest prompt belongs to the newest step that does not run. */
function withPrompts(steps: readonly TraceNode[], { prompts, isLiveMessage }: OfMessage): void {
  const committed = isLiveMessage ? steps.slice(0, -1) : steps
  const stored = prompts.filter(({ error }) => error === undefined).sort((a, b) => a.promptId - b.promptId)
  committed.forEach((step, index) => {
    const prompt = stored.at(index - committed.length)
    if (prompt === undefined) return
    const { tokens, output, usd } = prompt
    Object.assign(step, { prompt, tokens: tokens + output, ...(usd > 0 ? { usd } : {}) })
    for (const child of step.children) if (child.kind === 'call') child.prompt = prompt
  })
}
