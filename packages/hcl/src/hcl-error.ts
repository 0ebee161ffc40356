/** A place in a text: both from 1, columns in characters (code points). */
export type Position = { line: number; column: number }

/** What is wrong with a text in HCL, at its first fault: the message begins with the place and says what to do. */
export class HclError extends Error {
  /** `UNSUPPORTED`: HCL has it, and it is not read here. */
  readonly code: 'INVALID' | 'UNSUPPORTED'
  readonly line: number
  readonly column: number

  constructor({ line, column }: Position, what: string, code: HclError['code'] = 'INVALID') {
    super(`${line}:${column}: ${what}`)
    this.name = 'HclError'
    this.code = code
    this.line = line
    this.column = column
  }
}

/** A word of the text for a message: in quotes, and never a page of it. */
export function shown(word: string): string {
  const points = [...word.slice(0, 82)]
  return JSON.stringify(word.length <= 40 ? word : `${points.slice(0, 40).join('')}…`)
}
