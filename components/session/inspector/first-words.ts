/**
 * Returns the text of a message that the model receives, and the names of the tools and files in it, as one
 * line.
 */
export function firstWords(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part: { type: string; text?: string; toolName?: string; mediaType?: string }) =>
      part.type === 'text' ? part.text : (part.toolName ?? part.mediaType ?? part.type)
    )
    .join(' · ')
}
