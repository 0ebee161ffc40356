import { clock, length } from '#components/browser/format-time.ts'
import type { Bar } from './timeline-bars.ts'

const does: Record<Bar['tone'], string> = {
  model: 'worked',
  tool: 'ran',
  hook: 'stepped in',
  failed: 'failed after running',
  you: 'waiting for a person',
  other: 'waiting for an external system',
  settled: 'waited'
}

/**
 * Describes a bar, such as "web-fetch · ran 0.4 s · 14:02". The duration is left out if it is 0, for
 * example because the end of a step is unknown.
 */
export function barWords(bar: Bar, now: number): string {
  const ms = (bar.end ?? now) - bar.start
  const verb = bar.lane === 'out-of-band' && bar.tone === 'other' ? 'waiting for the agent' : does[bar.tone]
  const time = ms === 0 ? verb : `${verb} ${length(ms)}`
  return `${bar.what} · ${time} · ${clock(new Date(bar.start).toISOString(), now)}`
}
