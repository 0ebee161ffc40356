import type { Position } from './hcl-error.ts'

/** What an expression comes to. */
export type HclValue = string | number | boolean | null | HclValue[] | { [name: string]: HclValue }

export type Operator = '||' | '&&' | '==' | '!=' | '<' | '>' | '<=' | '>=' | '+' | '-' | '*' | '/' | '%'

/** `.name`, or `[index]`. */
export type Step = Position & ({ name: string } | { index: Expression })

/**
 * An expression as it was read, each at its own place. What may be repeated without brackets (`a + b + c`, `a.b[0].c`) is one
 * list, so that a tree is as deep as its brackets are and no deeper.
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

export type Attribute = Position & { kind: 'attribute'; name: string; expression: Expression }

/** A block, or a whole file (of type `file`, without labels): its attributes and blocks in the order of the text. */
export type Block = Position & {
  kind: 'block'
  type: string
  labels: (Position & { value: string })[]
  items: (Attribute | Block)[]
}
