/** The first words of a message as the model is given it, and the tools it calls. */
export function firstWords(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part: { type: string; text?: string; toolName?: string; mediaType?: string }) =>
      part.type === 'text' ? part.text : (part.toolName ?? part.mediaType ?? part.type)
    )
    .join(' · ')
}
