import type { PluginState } from '@waystation/protocol/plugin/plugin.ts'
import { clsx } from 'clsx'

const looks: Record<PluginState['kind'], { dot: string; words: string }> = {
  serving: { dot: 'border-rail bg-rail', words: 'Running' },
  starting: { dot: 'border-rail', words: 'Starting' },
  unhealthy: { dot: 'border-fail', words: 'Unhealthy' },
  restarting: { dot: 'border-fail', words: 'Down, restarting soon' },
  failed: { dot: 'border-fail bg-fail', words: 'Failed' },
  stopped: { dot: 'border-rail', words: 'Stopped' }
}

/** Shows the state of a plugin. The dot repeats what the text says. */
export function StatusBadge({ state: { kind, why } }: { state: PluginState }) {
  const { dot, words } = looks[kind]
  const isBad = dot.includes('fail')
  return (
    <p data-hook="plugin-state" data-state={kind} className="flex min-w-0 items-baseline gap-2">
      <span
        aria-hidden="true"
        className={clsx('size-2 shrink-0 translate-y-[-1px] rounded-full border-[1.5px]', dot)}
      />
      <span className={clsx('min-w-0 [overflow-wrap:anywhere]', isBad ? 'text-fail' : 'text-muted')}>
        {why === undefined ? `${words}.` : `${words}: ${why}`}
      </span>
    </p>
  )
}
