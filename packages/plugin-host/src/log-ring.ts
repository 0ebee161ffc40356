import type { Readable } from 'node:stream'
import { cleanText } from '@waystation/base/clean-text.ts'

/** A line of a plugin's output, or of the server about its program. `at` is an ISO 8601 time in UTC. */
export type LogLine = { stream: 'stdout' | 'stderr' | 'server'; text: string; at: string }

/** Stored lines per plugin, characters per line, and bytes read per second. */
const limits = { lines: 500, line: 1_000, rate: 1024 * 1024 }

/** Lines that Node prints around an error: stack frames, carets, brackets and its version. */
const stackNoise = /^(\s+at |\s*\^+\s*$|\s*[{}]\s*$|Node\.js v\d)/

/**
 * Stores the newest output of a plugin. Reads at most 1 MiB/s of each stream: with more output, the pipe fills
 * and the plugin waits.
 */
export class LogRing {
  #lines: LogLine[] = []
  #added = 0

  /** Adds a line, cleaned and cut to the limit, and drops the oldest one if the log is full. */
  add(stream: LogLine['stream'], text: string): void {
    const at = new Date().toISOString()
    this.#lines.push({ stream, text: cleanText(text.slice(0, limits.line)), at })
    if (this.#lines.length > limits.lines) this.#lines.shift()
    this.#added += 1
  }

  /** Returns the stored lines, oldest first. */
  lines(): readonly LogLine[] {
    return [...this.#lines]
  }

  /** The number of lines added since the start. */
  get added(): number {
    return this.#added
  }

  /**
   * Returns up to five of the last lines as one text for an error message, ignoring the first `after` lines. Leaves
   * out the stack frames of Node, which would push the error itself out of the text.
   */
  tail(after: number): string {
    const count = this.#added - after
    const written = (count > 0 ? this.#lines.slice(-count) : []).filter(({ stream }) => stream !== 'server')
    const telling = written.filter(({ text }) => !stackNoise.test(text))
    return (telling.length > 0 ? telling : written)
      .slice(-5)
      .map(({ text }) => text)
      .join('\n')
      .slice(-1_000)
      .toWellFormed()
  }

  /**
   * Adds the lines of a stream as they arrive. `first` receives each line before it is stored, until it returns
   * true: it has then taken that line. A line that is too long is split into pieces.
   */
  follow(stream: LogLine['stream'], from: Readable, first?: (line: string) => boolean): void {
    let partial = ''
    let readBytes = 0
    let interceptor = first
    const take = (line: string) => {
      if (interceptor?.(line)) interceptor = undefined
      else if (line !== '') this.add(stream, line)
    }
    const everySecond = setInterval(() => {
      readBytes = 0
      if (from.isPaused()) from.resume()
    }, 1_000).unref()
    from.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (partial + chunk).split('\n')
      partial = lines.pop() ?? ''
      for (const line of lines.length > limits.lines ? lines.slice(-limits.lines) : lines)
        take(line.replace(/\r$/, ''))
      if (partial.length > limits.line) {
        take(partial)
        partial = ''
      }
      readBytes += chunk.length
      if (readBytes > limits.rate) from.pause()
    })
    from
      .on('error', () => undefined)
      .on('close', () => {
        clearInterval(everySecond)
        if (partial !== '') take(partial)
        partial = ''
      })
  }
}
