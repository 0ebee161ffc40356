/** The value a JSON text stands for; a text that is not JSON stands for itself. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
