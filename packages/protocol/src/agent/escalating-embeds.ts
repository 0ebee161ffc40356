/**
 * Returns the embeds of a text that were not in it before. They can bring in another agent's instructions. An embed
 * that is only written differently is reported too.
 */
export function escalatingEmbeds(before: unknown, after: unknown): string[] {
  const oldEmbeds = new Set(embedsOf(before))
  return embedsOf(after).filter(embed => !oldEmbeds.has(embed))
}

/**
 * Finds all embeds of a text. An embed cannot contain the start of another one (`read-embeds.ts`), so the
 * text is split at each start.
 */
const embedsOf = (text: unknown): string[] =>
  typeof text !== 'string'
    ? []
    : text
        .split(/(?=@\{\{|@ag\.embed\[)/)
        .flatMap(piece => /^@\{\{[^}]*\}\}|^@ag\.embed\[[\s\S]*?\]\s*\]/.exec(piece)?.[0] ?? [])
