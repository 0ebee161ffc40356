/** Removes Markdown syntax from a text. An underscore inside a word is text (CommonMark 6.2). */
export const plainText = (markdown: string): string =>
  markdown.replaceAll(/[`*#]|(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])/gu, '').trim()
