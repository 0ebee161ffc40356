/**
 * A late answer to a call, an out-of-band message or a note from the server. Each is an element in a user-role message,
 * which `lib/engine/turn/prompt.ts` writes.
 */
export type Notice =
  | { kind: 'answer'; tool: string; callId: string; state: string; text: string }
  | { kind: 'out-of-band'; source: string; priority: string; id: string; text: string }
  | { kind: 'note'; text: string }

/**
 * Splits a user-role text into its notices and the remaining text, which the user wrote. The time is linear, because
 * each missing closing tag is searched for only once.
 */
export function readNotices(text: string): { notices: Notice[]; message: string } {
  const notices: Notice[] = []
  const neverClosed = new Set<string>()
  const opening = /<(call_answer|out_of_band|note|earlier_conversation)(?: [^<>]*)?>/g
  let message = ''
  let from = 0
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const [head, tag] = match as unknown as [string, Tag]
    const bodyEnd = neverClosed.has(tag) ? -1 : text.indexOf(`</${tag}>`, opening.lastIndex)
    if (bodyEnd < 0) {
      neverClosed.add(tag)
      continue
    }
    message += text.slice(from, match.index)
    const notice = readNotice(tag, head, text.slice(opening.lastIndex, bodyEnd))
    if (notice) notices.push(notice)
    from = bodyEnd + tag.length + 3
    opening.lastIndex = from
  }
  return { notices, message: (message + text.slice(from)).trim() }
}

type Tag = 'call_answer' | 'out_of_band' | 'note' | 'earlier_conversation'

function readNotice(tag: Tag, head: string, body: string): Notice | undefined {
  const attribute = attributes(head)
  const text = unescaped(body).trim()
  switch (tag) {
    case 'call_answer':
      return {
        kind: 'answer',
        tool: attribute('tool'),
        callId: attribute('id'),
        state: attribute('state'),
        text
      }
    case 'out_of_band':
      return {
        kind: 'out-of-band',
        source: attribute('source'),
        priority: attribute('priority'),
        id: attribute('id'),
        text
      }
    case 'note':
      return { kind: 'note', text }
    // A summary of earlier messages is neither a notice nor a message from the user.
    case 'earlier_conversation':
      return undefined
  }
}

function attributes(head: string): (name: string) => string {
  const found = new Map([...head.matchAll(/([\w-]+)="([^"]*)"/g)].map(match => [match[1], match[2]!]))
  return name => unescaped(found.get(name) ?? '')
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  amp: '&'
}

const unescaped = (text: string): string =>
  text.replace(/&(lt|gt|quot|apos|#39|amp);/g, (_, name: string) => ENTITIES[name]!)
