import { clsx } from 'clsx'
import { hookWords } from '#components/session/wording/hook-words.ts'
import type { RowProps } from './row-props.ts'

/** Shows that a plugin changed or canceled something, or failed. */
export function HookRow({ row: { run } }: RowProps<'hook'>) {
  return (
    <p className={clsx('[overflow-wrap:anywhere]', run.outcome === 'failed' ? 'text-fail' : 'text-muted')}>
      The plugin <span className="font-mono text-mono">{run.plugin}</span> {hookWords(run)}
    </p>
  )
}
