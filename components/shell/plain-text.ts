/** Words of Markdown without its marks, for one line of a list. An underscore inside a word is none of them (CommonMark 6.2). */
export const plainWords = (markdown: string): string =>
  markdown.replaceAll(/[`*#]|(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])/gu, '').trim()
