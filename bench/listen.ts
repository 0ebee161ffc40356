import { Agent, get } from 'node:http'
import { now } from './machine.ts'

const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })

/** An event stream with a reader. */
export type Listening = {
  /** Resolves when the response has started. */
  opened: Promise<void>
  /** Resolves after the expected number of words. Rejects if the stream ends earlier. */
  complete: Promise<void>
}

/** A word of the model server: when it was sent and its delay, in milliseconds. */
export type ReceivedWord = { sent: number; lag: number }

/** Reads an event stream and records each word of the model server in `received`, until it has `words` of them. */
export function listen(
  url: string,
  headers: Record<string, string>,
  words: number,
  received: ReceivedWord[]
): Listening {
  const opened = Promise.withResolvers<void>()
  const complete = Promise.withResolvers<void>()
  let count = 0
  let rest = ''
  const request = get(url, { agent, headers }, response => {
    if (response.statusCode !== 200)
      return complete.reject(new Error(`${url} answered ${response.statusCode}.`))
    opened.resolve()
    response.setEncoding('utf8').on('data', (text: string) => {
      const at = now()
      const endOfEvents = (rest + text).lastIndexOf('\n\n')
      const events = (rest + text).slice(0, endOfEvents + 1)
      rest = (rest + text).slice(endOfEvents + 1)
      for (const [, sent] of events.matchAll(/@(\d+\.\d+) /g)) {
        received.push({ sent: Number(sent), lag: at - Number(sent) })
        count++
      }
      if (count < words) return
      complete.resolve()
      request.destroy()
    })
    response.on('end', () => complete.reject(new Error(`The stream ended after ${count} of ${words} words.`)))
  })
  request.on('error', error => count < words && complete.reject(error))
  return { opened: opened.promise, complete: complete.promise }
}
