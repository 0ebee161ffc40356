/** What a text is: how long its sentences may be, and whether it counts for the figures of the documentation. */
export type Kind = 'docs' | 'table' | 'heading' | 'text' | 'model' | 'comment' | 'title'

/** A paragraph, table cell, string, comment or test title, without code and quotes. */
export type Block = {
  kind: Kind
  text: string
  /** The line of the file on which a character of `text` stands, counted from 1. */
  lineAt(offset: number): number
}

export type Sentence = { kind: Kind; text: string; line: number; words: number }

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** The sentences of a block, in order. Code and quotes are one word each (see {@link plain}). */
export function sentencesOf({ kind, text, lineAt }: Block): Sentence[] {
  return [...segmenter.segment(text)].flatMap(({ segment, index }) => {
    const sentence = segment.trim().replace(/\s+/g, ' ')
    if (!/\p{L}/u.test(sentence)) return []
    const start = index + segment.search(/\S/)
    return [{ kind, text: sentence, line: lineAt(start), words: wordsIn(sentence) }]
  })
}

const wordsIn = (sentence: string): number => sentence.match(/[\p{L}\p{N}][\p{L}\p{N}'’_-]*/gu)?.length ?? 0

/** What stands for code and quotes in a sentence: a noun that no rule knows. */
export const placeholder = 'Xcode'

/** A text without quotes: other people's words are not ours to correct. It keeps its length, so that lines stay right. */
export const withoutQuotes = (text: string): string =>
  text.replace(/"[^"\n]{1,300}"|“[^”\n]{1,300}”/g, quote => placeholder.padEnd(quote.length, ' '))
