/**
 * The operator's redaction. It must be pure and idempotent, because a text can pass it twice. `holdBack` is how much of
 * a model's output is buffered, so that it always receives complete words, lines or blocks.
 */
export type Redaction = {
  redact: (text: string, about: { kind: RedactKind; workspaceId: string }) => string
  holdBack: 'word' | 'line' | 'block'
}

/**
 * The origin of a text: a user's message, active item or title, an answer to a call, an out-of-band message, an
 * external agent's reply, a model's output, or a result of our own tools.
 */
export type RedactKind =
  | 'message'
  | 'active-item'
  | 'title'
  | 'answer'
  | 'out-of-band'
  | 'reply'
  | 'model'
  | 'tool-result'
