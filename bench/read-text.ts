/** Reads an event stream as text. `until` resolves when the text so far contains the pattern. */
export function readText(response: Response): { until(pattern: RegExp): Promise<RegExpExecArray> } {
  const chunks = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  return {
    async until(pattern: RegExp): Promise<RegExpExecArray> {
      for (;;) {
        const match = pattern.exec(text)
        if (match !== null) return match
        const { done, value } = await chunks.read()
        if (done) throw new Error('The stream ended before that came.')
        text += decoder.decode(value, { stream: true })
      }
    }
  }
}
