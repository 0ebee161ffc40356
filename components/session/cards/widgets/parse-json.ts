export type Parsed = { ok: true; value: unknown } | { ok: false; problem: string }

/** Parses JSON that a user entered. The problem names the line of the error, if known. */
export function parseJson(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const position = /position (\d+)/.exec(message)?.[1]
    const line =
      position === undefined ? '' : ` on line ${text.slice(0, Number(position)).split('\n').length}`
    return {
      ok: false,
      problem: text.trim() === '' ? 'Enter the arguments as JSON.' : `Invalid JSON${line}.`
    }
  }
}
