import type { PluginDetails } from '@waystation/protocol/plugin/plugin.ts'
import { clsx } from 'clsx'
import { ScrollBox } from '#components/ui/scroll-box.tsx'
import { VisibleText } from '#components/ui/visible-text.tsx'

/** Shows the last log lines of a plugin, newest at the end. Lines from standard error are highlighted. */
export function PluginLog({ lines, isLocal }: { lines: PluginDetails['logs']; isLocal: boolean }) {
  if (lines.length === 0)
    return (
      <p className="text-muted">
        {isLocal ? 'No log lines yet.' : "This plugin runs on another server, so its log isn't available."}
      </p>
    )
  return (
    <ScrollBox label="Log lines" className="max-h-96 p-3">
      <ol data-hook="plugin-log" className="font-mono text-mono">
        {lines.map(({ stream, text }, at) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a line has no ID, and lines can be equal
            key={at}
            className={clsx(
              'whitespace-pre-wrap [overflow-wrap:anywhere]',
              stream === 'stderr' && 'text-fail'
            )}
          >
            <VisibleText text={text} />
          </li>
        ))}
      </ol>
    </ScrollBox>
  )
}
