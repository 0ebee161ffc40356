import { age } from '#components/browser/format-time.ts'

/** Returns the time since then in words: "3h ago", "just now". Empty during hydration, when `now` is undefined. */
export function ago(iso: string, now: number | undefined): string {
  if (now === undefined) return ''
  const since = age(iso, now)
  return since === 'now' ? 'just now' : `${since} ago`
}
