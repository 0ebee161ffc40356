/**
 * The kind of a text. It decides how long its sentences can be and whether they are part of the documentation's
 * figures.
 */
export type Kind = 'docs' | 'table' | 'heading' | 'text' | 'model' | 'comment' | 'title'

/** A paragraph, table cell, string, comment or test title, without code and quotes. */
export type Block = {
  kind: Kind
  text: string
  /** Returns the line in the file, counted from 1, of a character of `text`. */
  lineAt(offset: number): number
}

/** A sentence of a block, with its line in the file and its number of words. */
export type Sentence = { kind: Kind; text: string; line: number; words: number }

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Splits a block into sentences, in order. Code and quotes are one word each (see {@link placeholder}). */
export function sentencesOf({ kind, text, lineAt }: Block): Sentence[] {
  return [...segmenter.segment(text)].flatMap(({ segment, index }) => {
    const sentence = segment.trim().replace(/\s+/g, ' ')
    if (!/\p{L}/u.test(sentence)) return []
    const start = index + segment.search(/\S/)
    return [{ kind, text: sentence, line: lineAt(start), words: wordsIn(sentence) }]
  })
}

const wordsIn = (sentence: string): number => sentence.match(/[\p{L}\p{N}][\p{L}\p{N}'’_-]*/gu)?.length ?? 0

/** Replaces code and quotes in a sentence: a noun that no rule matches. */
export const placeholder = 'Xcode'

/**
 * Returns the text without quotes, which can be other people's words. Keeps its length, so that line numbers stay
 * correct.
 */
export const withoutQuotes = (text: string): string =>
  text.replace(/"[^"\n]{1,300}"|“[^”\n]{1,300}”/g, quote => placeholder.padEnd(quote.length, ' '))
