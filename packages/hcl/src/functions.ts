import type { HclValue } from './expression.ts'
import type { HclFunction } from './scope.ts'

const ofText = (change: (text: string) => HclValue): HclFunction => ({
  takes: ['a string'],
  returns: text => change(String(text))
})

/** The functions that workspace files can call. Each takes one string and returns a string. */
export const functions: Record<string, HclFunction> = {
  lower: ofText(text => text.toLowerCase()),
  upper: ofText(text => text.toUpperCase()),
  trimspace: ofText(text => text.trim())
}
