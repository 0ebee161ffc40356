import { UsageError } from './fault.ts'

/** Reads a whole number of an option. Throws a `UsageError` outside the limits. */
export function numberIn(
  option: string,
  text: string | undefined,
  { least, most = Number.MAX_SAFE_INTEGER }: { least: number; most?: number }
): number | undefined {
  if (text === undefined) return undefined
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `from ${least} to ${most}`
  throw new UsageError(`${option} must be a whole number, ${range}.`)
}
