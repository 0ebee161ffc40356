/** Parses a JSON text. Returns the text itself if it is not valid JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
