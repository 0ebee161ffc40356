/** A position in a text. Both numbers start at 1. Columns are counted in code points, so an emoji is one column. */
export type Position = { line: number; column: number }

/**
 * An error in a text. Parsing, checks and evaluation stop at the first one. The message has the form
 * `line:column: problem: advice`, but some messages have no advice.
 */
export class HclError extends Error {
  /** `UNSUPPORTED`: valid HCL 2 that this package rejects. docs/hcl.md lists the differences. */
  readonly code: 'INVALID' | 'UNSUPPORTED'
  readonly line: number
  readonly column: number

  constructor({ line, column }: Position, problem: string, code: HclError['code'] = 'INVALID') {
    super(`${line}:${column}: ${problem}`)
    this.name = 'HclError'
    this.code = code
    this.line = line
    this.column = column
  }
}

/** Quotes a piece of the text for an error message, and shortens it to about 40 characters. */
export function shown(text: string): string {
  const points = [...text.slice(0, 82)]
  return JSON.stringify(text.length <= 40 ? text : `${points.slice(0, 40).join('')}…`)
}
