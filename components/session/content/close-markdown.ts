import remend, { isWithinCodeBlock } from 'remend'

/** Completes emphasis, code and links. Everything else looks the same during streaming and afterwards. */
const options = {
  linkMode: 'text-only',
  htmlTags: false,
  katex: false,
  comparisonOperators: false,
  singleTilde: false
} as const

/** Matches marks at the end, which can be the first half of longer ones. */
const lastMarks = /(?<!\\)[*_~`]+$/

/** Matches the text of a link whose address has not arrived. A single character is a checkbox. */
const lastLabel = /(?<![\w\]])\[([^[\]\n]{2,})\]$/

/** Completes Markdown that is still streaming in, so that unfinished syntax does not show as raw marks. */
export function closeMarkdown(text: string): string {
  const complete = text.replace(lastMarks, '')
  return remend(
    isWithinCodeBlock(complete, complete.length) ? complete : complete.replace(lastLabel, '$1'),
    options
  )
}
