import type { Readable } from 'node:stream'
import { cleanText } from '#lib/kernel/clean-text.ts'

export type LogLine = { stream: 'stdout' | 'stderr'; text: string }

/** Lines and characters that are kept of each plugin, the newest; and how much of it is read in a second, in bytes. */
const most = { lines: 500, line: 1_000, rate: 1024 * 1024 }

/**
 * What a plugin wrote, the end of it. Who writes faster than a megabyte a second is read no faster than that: the pipe fills and
 * the plugin waits, not the server.
 */
export class LogRing {
  #lines: LogLine[] = []
  #added = 0

  add(stream: LogLine['stream'], text: string): void {
    this.#lines.push({ stream, text: cleanText(text.slice(0, most.line)) })
    if (this.#lines.length > most.lines) this.#lines.shift()
    this.#added += 1
  }

  /** Oldest first. */
  lines(): readonly LogLine[] {
    return [...this.#lines]
  }

  /** How many lines there have been. */
  get added(): number {
    return this.#added
  }

  /** The last lines that came after the first so many, as one text, for an error. */
  tail(after: number): string {
    const count = Math.min(5, this.#added - after)
    const last = count > 0 ? this.#lines.slice(-count) : []
    return last
      .map(({ text }) => text)
      .join('\n')
      .slice(-1_000)
      .toWellFormed()
  }

  /**
   * Adds a stream's lines as they come. `first` is given each line before it is kept, until it says that it has taken one; a
   * line that has no end is given to it in pieces.
   */
  follow(stream: LogLine['stream'], from: Readable, first?: (line: string) => boolean): void {
    let begun = ''
    let read = 0
    let wanted = first
    const take = (line: string) => {
      if (wanted?.(line)) wanted = undefined
      else if (line !== '') this.add(stream, line)
    }
    const second = setInterval(() => {
      read = 0
      if (from.isPaused()) from.resume()
    }, 1_000).unref()
    from.setEncoding('utf8').on('data', (piece: string) => {
      const lines = (begun + piece).split('\n')
      begun = lines.pop() ?? ''
      for (const line of lines.length > most.lines ? lines.slice(-most.lines) : lines)
        take(line.replace(/\r$/, ''))
      if (begun.length > most.line) {
        take(begun)
        begun = ''
      }
      read += piece.length
      if (read > most.rate) from.pause()
    })
    from
      .on('error', () => undefined)
      .on('close', () => {
        clearInterval(second)
        if (begun !== '') take(begun)
        begun = ''
      })
  }
}
