import type { Duplex } from 'node:stream'
import { KnownError } from '#lib/kernel/known-error.ts'
import { log } from '#lib/kernel/log.ts'

/** How often a script may ask, how long a question and all answers together may be, in characters. */
const most = { questions: 200, question: 64 * 1024, answers: 4 * 1024 * 1024 }

/**
 * Answers what a script asks: lines of JSON, `{id, method, input}` in and `{id, value}` or `{id, error}` out, one after the
 * other. A script can write whatever it likes there: what is no question is passed over, and past a bound it is told no more.
 * `onBegun`: it has said that it runs.
 */
export function answerScript(
  line: Duplex,
  ask: (method: string, input: unknown) => Promise<unknown>,
  onBegun: () => void
): void {
  let begun = ''
  let questions = 0
  let answered = 0
  let before: Promise<void> = Promise.resolve()

  const answer = async (id: unknown, method: unknown, input: unknown) => {
    if (answered > most.answers)
      return tell({ id, error: 'Limit reached: the script has received 4 MiB of answers.' })
    try {
      const value = await ask(String(method), input)
      tell({ id, value: value ?? null })
    } catch (error) {
      tell({ id, error: wordsOf(error) })
    }
  }
  const tell = (words: object) => {
    const text = `${JSON.stringify(words)}\n`
    answered += text.length
    if (line.writable) line.write(text)
  }
  const take = (text: string) => {
    const said = parsed(text)
    if (said?.begun === true) return onBegun()
    if (typeof said?.id !== 'number' || ++questions > most.questions + 1) return
    const { id, method, input } = said
    if (questions > most.questions)
      return tell({
        id,
        error: `Limit reached: the script has called its functions ${most.questions} times.`
      })
    before = before.then(() => answer(id, method, input))
  }
  // Whoever hangs up has ended, or is ended.
  line.on('error', () => undefined)
  line.setEncoding('utf8').on('data', (piece: string) => {
    const lines = (begun + piece).split('\n')
    begun = lines.pop() ?? ''
    for (const text of lines) take(text)
    if (begun.length <= most.question) return
    begun = ''
    line.destroy()
  })
}

function parsed(text: string): { begun?: unknown; id?: unknown; method?: unknown; input?: unknown } | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

/** What a script is told of a failure. A bug's own words are for the log. */
function wordsOf(error: unknown): string {
  if (error instanceof KnownError) return error.message
  log('error', 'A function for scripts failed unexpectedly.', { error })
  return 'The function failed because of an error in the server.'
}
