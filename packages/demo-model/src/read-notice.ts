/**
 * What reaches a model between a person's messages, in user-role messages of their own (docs/concepts/engine.md#prompt): the late answer
 * to an earlier call, an out-of-band message, a note of the server. The wrappers are written by `lib/engine/turn`.
 */
export type Notice =
  | { kind: 'answer'; tool: string; callId: string; state: string; text: string }
  | { kind: 'out-of-band'; source: string; priority: string; id: string; text: string }
  | { kind: 'note'; text: string }

/** Splits a user-role text into its notices and what is left, which is the person's own words. One pass. */
export function readNotices(text: string): { notices: Notice[]; said: string } {
  const notices: Notice[] = []
  const neverClosed = new Set<string>()
  const opening = /<(call_answer|out_of_band|note|earlier_conversation)(?: [^<>]*)?>/g
  let said = ''
  let from = 0
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const [head, tag] = match as unknown as [string, Tag]
    const bodyEnd = neverClosed.has(tag) ? -1 : text.indexOf(`</${tag}>`, opening.lastIndex)
    if (bodyEnd < 0) {
      neverClosed.add(tag)
      continue
    }
    said += text.slice(from, match.index)
    const notice = readNotice(tag, head, text.slice(opening.lastIndex, bodyEnd))
    if (notice) notices.push(notice)
    from = bodyEnd + tag.length + 3
    opening.lastIndex = from
  }
  return { notices, said: (said + text.slice(from)).trim() }
}

type Tag = 'call_answer' | 'out_of_band' | 'note' | 'earlier_conversation'

function readNotice(tag: Tag, head: string, body: string): Notice | undefined {
  const has = attributes(head)
  const text = unescaped(body).trim()
  switch (tag) {
    case 'call_answer':
      return { kind: 'answer', tool: has('tool'), callId: has('id'), state: has('state'), text }
    case 'out_of_band':
      return { kind: 'out-of-band', source: has('source'), priority: has('priority'), id: has('id'), text }
    case 'note':
      return { kind: 'note', text }
    // A summary of what left the window: no news, and nobody's words.
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
