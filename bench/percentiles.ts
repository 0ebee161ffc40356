/** A summary of measurements of the same thing, in the same unit. */
export type Spread = { n: number; p50: number; p95: number; p99: number; max: number }

/**
 * Returns nearest-rank percentiles. Throws without measurements, because a figure that was not measured is not
 * zero.
 */
export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) throw new Error('Nothing was measured.')
  const sorted = values.toSorted((a, b) => a - b)
  const percentile = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number
  return {
    n: sorted.length,
    p50: percentile(0.5),
    p95: percentile(0.95),
    p99: percentile(0.99),
    max: percentile(1)
  }
}
