import type { ContextView } from '@waystation/protocol/session/context.ts'
import { useState } from 'react'
import { ContextFill } from '#components/session/content/context-fill.tsx'
import { useContextView } from '#components/session/store/use-context-view.ts'
import { count, fillOf, inTokens } from '#components/session/wording/context-words.ts'
import { Json } from '#components/ui/json.tsx'
import { Time } from '#components/ui/time.tsx'
import { firstWords } from './first-words.ts'

type Entry = ContextView['shown'][number]

/**
 * The context that the model receives in the next step: the sizes of its parts, and its newest entries,
 * oldest first, with their sizes in tokens.
 */
export function ContextTab() {
  const { view, problem } = useContextView()
  const [open, setOpen] = useState<number>()
  if (view === undefined)
    return (
      <p
        data-hook="context-state"
        className={`px-4 py-3 ${problem === undefined ? 'text-muted' : 'text-fail'}`}
      >
        {problem === undefined ? 'Loading…' : `Couldn't load the context. ${problem}`}
      </p>
    )
  const { entries, shown, summary, compaction, estimated, ratio } = view
  const earlier = entries - shown.length
  return (
    <div className="flex h-full flex-col">
      <div className="border-b px-4 py-3">
        <ContextFill fill={fillOf(view)} />
        <p data-hook="context-estimate" className="mt-2 text-muted tabular-nums">
          {ratio === 1
            ? 'Estimated from text length'
            : `Estimated at ${count(estimated)} tokens, then scaled by ${ratio.toFixed(2)} to match the provider's count`}
          {` · ${entries === 1 ? '1 entry' : `${count(entries)} entries`}`}
        </p>
        <p data-hook="context-about" className="text-muted">
          This is the next prompt, with tools. Prompt and Trace show what the provider counted.
        </p>
      </div>
      {problem === undefined ? null : <p className="px-4 py-2 text-fail">Out of date. {problem}</p>}
      <ol aria-label="Prompt entries" data-hook="prompt-entries" className="min-h-0 flex-1 overflow-y-auto">
        {summary === undefined ? null : (
          <li className="border-b px-4 py-3">
            <Json label={`Summary of earlier messages · ${inTokens(summary.tokens)}`} value={summary.text} />
            {compaction === undefined ? null : (
              <p className="mt-2 text-muted">
                {compaction.messages === 1 ? '1 message' : `${count(compaction.messages)} messages`},{' '}
                {compaction.madeBy === 'model' ? 'summarized by the model' : 'shortened without a model'}{' '}
                <Time at={compaction.at} short />.
              </p>
            )}
          </li>
        )}
        {earlier > 0 ? (
          <li data-hook="earlier-entries" className="border-b px-4 py-2 text-muted">
            {count(earlier)} earlier entries
          </li>
        ) : null}
        {entries === 0 ? <li className="px-4 py-3 text-muted">No entries yet.</li> : null}
        {shown.map(entry => (
          <EntryRow
            key={entry.id}
            entry={entry}
            open={entry.id === open}
            onOpen={() => setOpen(entry.id === open ? undefined : entry.id)}
          />
        ))}
      </ol>
    </div>
  )
}

const names: Record<Entry['kind'], string> = {
  user: 'user',
  step: 'assistant',
  answer: 'answer',
  note: 'note',
  oob: 'signal'
}

function EntryRow({ entry, open, onOpen }: { entry: Entry; open: boolean; onOpen: () => void }) {
  return (
    <li className="border-b [content-visibility:auto] [contain-intrinsic-block-size:32px]">
      <button
        type="button"
        aria-expanded={open}
        onClick={onOpen}
        className="tap flex h-8 w-full items-center gap-3 px-4 text-left outline-offset-[-2px]"
      >
        <span className="w-20 shrink-0 font-mono text-mono">{names[entry.kind]}</span>
        <span className="min-w-0 flex-1 truncate text-muted">{firstWords(entry.messages[0]?.content)}</span>
        <span className="shrink-0 text-muted tabular-nums" title={inTokens(entry.tokens)}>
          {count(entry.tokens)}
        </span>
      </button>
      {entry.stillWaiting.map(({ toolCallId, toolName, answered }) => (
        <p key={toolCallId} data-hook="still-waiting" className="pr-4 pb-2 pl-[108px] text-muted">
          <code className="font-mono text-mono">{toolName}</code> is marked “still waiting” because{' '}
          {answered ? 'its answer came later.' : 'it has no answer yet.'}
        </p>
      ))}
      {open ? (
        <div className="flex flex-col gap-2 px-4 pb-3">
          {entry.messages.map((message, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an entry's messages never change their order
            <div key={index}>
              <Json label={message.role} value={message.content} />
              {message.cut === undefined ? null : (
                <p className="text-muted">{count(message.cut)} more characters are not shown.</p>
              )}
            </div>
          ))}
        </div>
      ) : null}
    </li>
  )
}
