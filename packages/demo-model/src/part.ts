/** What the model is about to do, in order. `fail` and `cut` end it. */
export type Part =
  | { kind: 'text'; text: string }
  | { kind: 'count'; to: number }
  | { kind: 'call'; tool: string; input: object }
  | { kind: 'fail'; status: number; retryAfter?: number }
  | { kind: 'cut' }
