import type { Position } from './hcl-error.ts'

/** The value of an expression. Numbers are JavaScript numbers, so they are less precise than in HashiCorp's HCL. */
export type HclValue = string | number | boolean | null | HclValue[] | { [name: string]: HclValue }

export type Operator = '||' | '&&' | '==' | '!=' | '<' | '>' | '<=' | '>=' | '+' | '-' | '*' | '/' | '%'

/** `.name` or `[index]`, with the position of the dot or the bracket. */
export type Step = Position & ({ name: string } | { index: Expression })

/**
 * A parsed expression. Its position is that of its first token.
 *
 * A sequence of operators or steps (`a + b + c`, `a.b[0].c`) is one flat list, so its length does not add to the depth
 * of the tree. The parser limits the depth of all other nesting.
 */
export type Expression = Position &
  (
    | { kind: 'literal'; value: string | number | boolean | null }
    | { kind: 'template'; parts: (string | Expression)[] }
    | { kind: 'list'; items: Expression[] }
    | { kind: 'map'; entries: { key: Expression; value: Expression }[] }
    | { kind: 'variable'; name: string }
    | { kind: 'path'; of: Expression; steps: Step[] }
    | { kind: 'call'; name: string; arguments: Expression[] }
    | { kind: 'unary'; operator: '-' | '!'; operand: Expression }
    | { kind: 'chain'; first: Expression; rest: { operator: Operator; operand: Expression }[] }
    | { kind: 'conditional'; test: Expression; then: Expression; otherwise: Expression }
  )

/** `name = expression`, with the position of the name. */
export type Attribute = Position & { kind: 'attribute'; name: string; expression: Expression }

/**
 * A block, with the position of its type. `items` are its attributes and blocks in the order of the text. A whole file
 * is a block of type `file` without labels, at 1:1.
 */
export type Block = Position & {
  kind: 'block'
  type: string
  labels: (Position & { value: string })[]
  items: (Attribute | Block)[]
}
