import type { PluginDetails } from '@waystation/protocol/plugin/plugin.ts'
import { clsx } from 'clsx'
import { exactOrClock } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { ScrollBox } from '#components/ui/scroll-box.tsx'
import { VisibleText } from '#components/ui/visible-text.tsx'

/** Shows the last log lines of a plugin, newest at the end. Lines from standard error are highlighted, and those of the server are muted. */
export function PluginLog({ lines, isLocal }: { lines: PluginDetails['logs']; isLocal: boolean }) {
  const now = useNow()
  if (lines.length === 0)
    return (
      <p className="text-muted">
        {isLocal ? 'No log lines yet.' : "This plugin runs on another server, so its log isn't available."}
      </p>
    )
  return (
    <ScrollBox label="Log lines" className="max-h-96 p-3">
      <ol data-hook="plugin-log" className="font-mono text-mono">
        {lines.map(({ stream, text, at }, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a line has no ID, and lines can be equal
            key={index}
            className={clsx(
              'whitespace-pre-wrap [overflow-wrap:anywhere]',
              stream === 'stderr' && 'text-fail',
              stream === 'server' && 'text-muted'
            )}
          >
            <time dateTime={at} className="text-muted">
              {now === undefined ? '' : `${exactOrClock(at, now)} `}
            </time>
            <VisibleText text={text} />
          </li>
        ))}
      </ol>
    </ScrollBox>
  )
}
