import type { Duplex } from 'node:stream'
import { KnownError } from '@waystation/base/known-error.ts'
import { log } from '@waystation/base/log.ts'

/**
 * Limits of a script: number of requests, and the length of one request and of all answers together, in
 * characters.
 */
const limits = { questions: 200, question: 64 * 1024, answers: 4 * 1024 * 1024 }

/**
 * Answers the requests of a script, one after another: lines of JSON with `{id, method, input}` in and
 * `{id, value}` or `{id, error}` out. A script can write anything there, so other lines are ignored. Each request
 * over the limit gets an error at once. While the script does not read its answers, no more requests are read. A
 * line that is too long closes the stream. `onBegun` is called when the script reports that it has started.
 */
export function serveScriptRequests(
  line: Duplex,
  ask: (method: string, input: unknown) => Promise<unknown>,
  onBegun: () => void
): void {
  let partial = ''
  let requestCount = 0
  let sentChars = 0
  let previous: Promise<void> = Promise.resolve()

  const answer = async (id: unknown, method: unknown, input: unknown) => {
    if (sentChars > limits.answers)
      return send({ id, error: 'Limit reached: the script has received 4 MiB of answers.' })
    try {
      const value = await ask(String(method), input)
      send({ id, value: value ?? null })
    } catch (error) {
      send({ id, error: messageOf(error) })
    }
  }
  const send = (message: object) => {
    const text = `${JSON.stringify(message)}\n`
    sentChars += text.length
    if (line.writable) line.write(text)
  }
  const onLine = (text: string) => {
    const request = parseObject(text)
    if (request?.begun === true) return onBegun()
    if (typeof request?.id !== 'number') return
    const { id, method, input } = request
    if (++requestCount > limits.questions)
      return send({
        id,
        error: `Limit reached: the script has called its functions ${limits.questions} times.`
      })
    previous = previous.then(() => answer(id, method, input))
  }
  // The script has ended or will be ended.
  line.on('error', () => undefined)
  line.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (partial + chunk).split('\n')
    partial = lines.pop() ?? ''
    for (const text of lines) onLine(text)
    if (line.writableNeedDrain) {
      line.pause()
      line.once('drain', () => line.resume())
    }
    if (partial.length <= limits.question) return
    partial = ''
    line.destroy()
  })
}

function parseObject(
  text: string
): { begun?: unknown; id?: unknown; method?: unknown; input?: unknown } | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

/** Returns the message of an error for the script. The message of an unexpected error is only logged. */
function messageOf(error: unknown): string {
  if (error instanceof KnownError) return error.message
  log('error', 'A function for scripts failed unexpectedly.', { error })
  return 'The function failed because of an error in the server.'
}
