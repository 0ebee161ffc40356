import type { Call, Message, SessionEvent } from '@waystation/client'
import { pendingLines } from './describe-call.ts'
import { oneLine, printable } from './escape.ts'
import { undelivered } from './message-text.ts'
import { textFlow } from './text-flow.ts'

type Options = {
  /** The name of the session's agent. */
  agentName: string
  /** How many of the last messages to show first. */
  last: number
  /** Formats a time for the reader. */
  time?: (iso: string) => string
}

type Author = Pick<Message, 'role' | 'metadata'>
type Of<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>

const localTime = (iso: string): string => new Date(iso).toLocaleString('sv-SE').slice(0, 16)

/**
 * Returns a function that turns each event of a session into the text to print for it, which can be empty. After a
 * `reset`, it prints only what it has not printed before. All of its text is printable.
 */
export function transcript({ agentName, last, time = localTime }: Options): (event: SessionEvent) => string {
  const flow = textFlow()
  const authors = new Map<string, Author>()
  const callStates = new Map<string, Call['state']>()
  /** The messages whose failed delivery is printed. */
  const failures = new Set<string>()
  /** The message whose text was printed last, without a line break at its end. */
  let open: string | undefined
  let isStart = true
  /** When the first known message was created. Updates of earlier messages are not shown. */
  let since: string | undefined

  function close(): string {
    const end = open === undefined ? '' : '\n'
    open = undefined
    return end
  }

  const block = (text: string): string => `${close()}${text}\n`

  function heading(id: string, at: string): string {
    const { role, metadata } = authors.get(id) ?? { role: 'assistant' as const }
    const name = metadata?.sentBy ?? (role === 'user' ? 'user' : (metadata?.agentId ?? agentName))
    const queued = metadata?.queued === undefined ? '' : ` · queued (${metadata.queued})`
    const gap = isStart ? '' : '\n'
    isStart = false
    return `${gap}${oneLine(name)} · ${time(metadata?.createdAt ?? at)}${queued}\n`
  }

  function say(id: string, text: string, at: string): string {
    if (text === '') return ''
    const start = open === id ? '' : `${close()}${heading(id, at)}`
    open = id
    return `${start}${printable(text)}`
  }

  function showMessage(message: Message, at: string): string {
    const { id, parts } = message
    const isNew = !flow.knows(id)
    authors.set(id, message)
    const text = flow.ofMessage(message)
    const files = isNew ? parts.flatMap(part => (part.type === 'file' ? [part] : [])) : []
    const lines = files.map(file => `[file ${oneLine(file.filename ?? file.mediaType)}]`)
    const failure = undelivered(message)
    const isFailure = failure !== undefined && !failures.has(id)
    if (failure === undefined) failures.delete(id)
    else failures.add(id)
    const said = say(id, [...(text === '' ? [] : [text]), ...lines].join('\n'), at)
    return isFailure ? `${said}${block(`! ${failure}`)}` : said
  }

  function showReset({ messages, calls, status, at }: Of<'reset'>): string {
    const hidden = since === undefined ? messages.slice(0, Math.max(0, messages.length - last)) : []
    for (const message of hidden) flow.ofMessage(message)
    since ??= messages[0]?.metadata?.createdAt ?? at
    for (const { toolCallId, state } of calls) if (state !== 'open') callStates.set(toolCallId, state)
    return [
      ...messages.slice(hidden.length).map(message => showMessage(message, at)),
      // A message that is being written continues.
      status === 'running' ? '' : close(),
      ...calls.map(showCall)
    ].join('')
  }

  function showNewMessage({ message, at }: Of<'message'>): string {
    const isEarlier = (message.metadata?.createdAt ?? at) < (since ?? '')
    return isEarlier && !flow.knows(message.id) ? '' : showMessage(message, at)
  }

  function showChunk(event: Of<'chunk'>): string {
    const { messageId, chunk, at } = event
    if (chunk.type === 'start') authors.set(messageId, { role: 'assistant', metadata: chunk.messageMetadata })
    return say(messageId, flow.ofChunk(event), at)
  }

  function showCall(call: Call): string {
    const { toolCallId, toolName, kind, state, answeredBy, reason } = call
    if (callStates.get(toolCallId) === state) return ''
    callStates.set(toolCallId, state)
    if (kind === 'server') return block(`· ${oneLine(toolName)}: ${state === 'open' ? 'running' : state}`)
    if (state === 'open') return block(pendingLines(call))
    const by = answeredBy === undefined ? '' : ` by ${answeredBy}`
    return block(`· ${oneLine(`${toolName}: ${state}${by}${reason ? ` (${reason})` : ''}`, 500)}`)
  }

  function showStatus({ outcome, error }: Of<'status'>): string {
    if (outcome === undefined) return ''
    if (error !== undefined) return block(`! ${oneLine(error.message, 1000)} [${oneLine(error.code)}]`)
    return outcome === 'cancelled' ? block('! The turn was stopped.') : close()
  }

  return event => {
    switch (event.type) {
      case 'reset':
        return showReset(event)
      case 'message':
        return showNewMessage(event)
      case 'chunk':
        return showChunk(event)
      case 'call':
        return showCall(event.call)
      case 'status':
        return showStatus(event)
      case 'session':
        return event.agentStatus ? block(`· ${oneLine(event.agentStatus.text)}`) : ''
      case 'message-removed':
        return block('! A queued message was removed.')
      case 'messages-taken-out':
        return block(`! Messages removed by ${oneLine(event.by)}: ${event.messageIds.length}`)
      default:
        return ''
    }
  }
}
