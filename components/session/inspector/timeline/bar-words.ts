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

/** A bar in words: "web-fetch · ran 0.4 s · 14:02"; a step whose end nobody saw has no length. */
export function barWords(bar: Bar, now: number): string {
  const ms = (bar.end ?? now) - bar.start
  const time = ms === 0 ? does[bar.tone] : `${does[bar.tone]} ${length(ms)}`
  return `${bar.what} · ${time} · ${clock(new Date(bar.start).toISOString(), now)}`
}
