/**
 * Embeds of a text that were not in it before: what they bring the agent reads, another agent's instructions as well. Written
 * in another way they count as new.
 */
export function escalatingEmbeds(before: unknown, after: unknown): string[] {
  const known = new Set(embedsOf(before))
  return embedsOf(after).filter(embed => !known.has(embed))
}

/** Nothing in an embed begins another (`agents/embeds/read-text.ts`): so each is whole between two beginnings. */
const embedsOf = (text: unknown): string[] =>
  typeof text !== 'string'
    ? []
    : text
        .split(/(?=@\{\{|@ag\.embed\[)/)
        .flatMap(piece => /^@\{\{[^}]*\}\}|^@ag\.embed\[[\s\S]*?\]\s*\]/.exec(piece)?.[0] ?? [])
