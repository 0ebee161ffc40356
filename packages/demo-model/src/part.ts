/**
 * One part of a reply. A reply with `fail` throws before it streams any part. `cut` ends the stream early. `retryAfter`
 * is in seconds.
 */
export type Part =
  | { kind: 'text'; text: string }
  | { kind: 'count'; to: number }
  | { kind: 'call'; tool: string; input: object }
  | { kind: 'fail'; status: number; retryAfter?: number }
  | { kind: 'cut' }
