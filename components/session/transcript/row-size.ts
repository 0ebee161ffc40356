import { textOf } from '@waystation/protocol/session/message-parts.ts'
import type { Row } from '#components/session/transcript/rows/rows.ts'

/**
 * The layout of text, in px: the maximum width of the column, and the gutter plus padding at its sides. Pages
 * that are less than `narrow` wide have smaller sides.
 */
const page = { column: 565, narrow: 800, wideSides: 72 + 48, narrowSides: 20 + 20 }
/** The average width of a character, the line height, and the space around and between paragraphs, in px. */
const prose = { letter: 7.9, line: 26, around: 12, between: 8 }
const person = { letter: 7, line: 22, around: 52, between: 0 }

/**
 * Estimates the height of a row in px, in a page of this width. A wrong estimate moves all rows below, so the
 * estimate takes the length of a message into account.
 */
export function heightOf(row: Row, width: number): number {
  switch (row.kind) {
    case 'tool':
      return 36
    case 'prose':
      return textHeight(row, row.part.text, width, prose)
    case 'person':
      return textHeight(row, textOf(row.message), width, person)
    default:
      return 40
  }
}

function textHeight(row: Row, text: string, width: number, font: typeof prose): number {
  const sides = width < page.narrow ? page.narrowSides : page.wideSides
  const fitting = Math.max(10, Math.floor(Math.min(page.column, width - sides) / font.letter))
  const known = heights.get(row)
  if (known?.fitting === fitting) return known.height
  const written = text.replace(/\n$/, '').split('\n')
  const gaps = written.filter(line => line === '').length
  const lines = written.reduce((sum, { length }) => sum + Math.ceil(length / fitting), 0)
  const height = font.around + Math.max(1, lines) * font.line + gaps * font.between
  heights.set(row, { fitting, height })
  return height
}
const heights = new WeakMap<Row, { fitting: number; height: number }>()
