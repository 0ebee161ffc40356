/** The typed mark that opens the list of inserts, and the letters after it. `start` is the position of the mark. */
export type Trigger = { mark: '/' | '@'; query: string; start: number }

/** Finds the mark before the caret: a `/` that the text starts with, or an `@` at the start of a word. */
export function triggerOf(text: string, caret: number): Trigger | undefined {
  const before = text.slice(0, caret)
  const [, mark = '', query = ''] = /^(\/)(\S*)$/.exec(before) ?? /(?:^|\s)(@)([^\s@]*)$/.exec(before) ?? []
  if (mark !== '/' && mark !== '@') return undefined
  return { mark, query, start: before.length - query.length - 1 }
}
