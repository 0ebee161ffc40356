export type Parsed = { ok: true; value: unknown } | { ok: false; line: number | undefined }

/** Parses JSON that a user typed. After a syntax error, returns its line, if the browser names it. */
export function parseJson(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch (error) {
    return { ok: false, line: lineOf(String(error), text) }
  }
}

/** Chromium and Node name a position, Firefox a line. Without either, the text ends too early. */
function lineOf(message: string, text: string): number | undefined {
  const line = /line (\d+)/.exec(message)?.[1]
  if (line !== undefined) return Number(line)
  const position = /position (\d+)/.exec(message)?.[1]
  if (position !== undefined) return text.slice(0, Number(position)).split('\n').length
  return /end of (JSON|data)/i.test(message) ? text.trimEnd().split('\n').length : undefined
}
