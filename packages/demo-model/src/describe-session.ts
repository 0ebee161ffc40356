import { quote } from './quote.ts'

type Fields = Record<string, unknown>
const MAX_SESSIONS = 5

/** Describes the result of a tool about sessions. Returns undefined for other tools and unknown formats. */
export function describeSession(tool: string, value: Fields): string | undefined {
  if (tool === 'list_sessions' && Array.isArray(value.sessions))
    return describeList(value.sessions, value.more)
  if (tool === 'get_session_state' && typeof value.sessionId === 'string') return describeState(value)
  if (tool === 'send_out_of_band' && typeof value.id === 'string')
    return value.status === 'held'
      ? 'The message waits for approval.'
      : 'The other agent receives the message at its next safe point.'
  return undefined
}

function describeList(sessions: readonly Fields[], more: unknown): string {
  if (sessions.length === 0) return 'I see no other sessions.'
  const lines = sessions
    .slice(0, MAX_SESSIONS)
    .map(({ sessionId, title, status }) => `\`${sessionId}\`${title ? ` ${quote(title)}` : ''} (${status})`)
  const left = sessions.length - lines.length
  const rest = more === true ? ', and more' : left > 0 ? `, and ${left} more` : ''
  return `I see these sessions: ${lines.join(', ')}${rest}.`
}

function describeState({ sessionId, status, pendingCalls, lastMessage, sentByYou }: Fields): string {
  const calls = Array.isArray(pendingCalls) ? pendingCalls.map(({ title }: Fields) => title) : []
  const last = (lastMessage ?? {}) as Fields
  const sent = (Array.isArray(sentByYou) ? sentByYou : []) as readonly Fields[]
  return [
    `The session \`${sessionId}\` is ${status}.`,
    ...(calls.length ? [`It waits for ${quote(calls)}.`] : []),
    ...(last.text ? [`Its last message is ${quoteText(last.text)}.`] : []),
    ...sent.map(({ content, status, effect }) =>
      effect
        ? `My message ${quote(content)} had this effect: ${quoteText(effect)}.`
        : `My message ${quote(content)} is ${status}.`
    )
  ].join(' ')
}

/** Quotes a text without its last period, because the sentence around it has its own. */
const quoteText = (text: unknown): string => quote(String(text).replace(/\.$/, ''))
