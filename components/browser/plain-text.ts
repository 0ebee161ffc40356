/** Removes Markdown syntax from a text. A table becomes its cells. An underscore inside a word is text (CommonMark 6.2). */
export const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/^\s*\|.*/gm, row => row.replaceAll(/[|]|:?-{2,}:?/g, ' '))
    .replaceAll(/[`*#]|(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])/gu, '')
    .trim()
