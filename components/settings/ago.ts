import { environmentKeyName } from '@waystation/protocol/workspace/environment-key.ts'
import { age } from '#components/browser/format-time.ts'

/** Returns the time since then in words: "3h ago", "just now". Empty during hydration, when `now` is undefined. */
export function ago(iso: string, now: number | undefined): string {
  if (now === undefined) return ''
  const since = age(iso, now)
  return since === 'now' ? 'just now' : `${since} ago`
}

/** Says when and by whom something was saved. A key of the server's environment is not a person, so it is not named. */
export const savedWords = (at: string, by: string | undefined, now: number | undefined): string =>
  `Saved ${ago(at, now)}${by === undefined || by === environmentKeyName ? '' : ` by ${by}`}`
