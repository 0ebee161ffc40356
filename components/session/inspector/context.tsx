import type { ContextView } from '@waystation/protocol/session/context.ts'
import { plainText } from '#components/browser/plain-text.ts'
import { ContextFill } from '#components/session/content/context-fill.tsx'
import { useContextView } from '#components/session/store/use-context-view.ts'
import { count, fillOf, inTokens } from '#components/session/wording/context-words.ts'
import { Json } from '#components/ui/json.tsx'
import { Time } from '#components/ui/time.tsx'
import { firstWords } from './first-words.ts'
import { Fold } from './fold.tsx'
import { MessageContent } from './message-content.tsx'

const about = 'This is the next prompt, with tools. Prompt and Trace show what the provider counted.'

type Entry = ContextView['shown'][number]

/**
 * The context that the model receives in the next step: the sizes of its parts, and its newest entries,
 * oldest first, with their sizes in tokens. All sizes are scaled by the provider's counts.
 */
export function ContextTab() {
  const { view, problem } = useContextView()
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
  const estimate =
    ratio === 1
      ? 'Estimated from text length.'
      : `Estimated at ${count(estimated)} tokens, then scaled by ${ratio.toFixed(2)} to match the provider's count.`
  const earlier = entries - shown.length
  return (
    <div className="flex h-full flex-col">
      <div className="border-b px-4 py-3">
        <ContextFill fill={fillOf(view)} />
        <p
          data-hook="context-estimate"
          className="mt-3 text-muted tabular-nums"
          title={`${estimate} ${about}`}
        >
          {entries === 1 ? '1 entry' : `${count(entries)} entries`}, estimated
          <span className="sr-only">
            . {estimate} {about}
          </span>
        </p>
      </div>
      {problem === undefined ? null : <p className="px-4 py-2 text-fail">Out of date. {problem}</p>}
      <ol aria-label="Prompt entries" data-hook="prompt-entries" className="min-h-0 flex-1 overflow-y-auto">
        {summary === undefined ? null : (
          <li className="border-b px-4 py-3">
            <Json
              label={`Summary of earlier messages · ${inTokens(Math.round(summary.tokens * ratio))}`}
              value={summary.text}
            />
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
          <li data-hook="earlier-entries" className="border-b py-2 pr-4 pl-9 text-muted">
            {count(earlier)} earlier entries
          </li>
        ) : null}
        {entries === 0 ? <li className="px-4 py-3 text-muted">No entries yet.</li> : null}
        {shown.map(entry => (
          <EntryRow key={entry.id} entry={entry} tokens={Math.round(entry.tokens * ratio)} />
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

function EntryRow({ entry, tokens }: { entry: Entry; tokens: number }) {
  return (
    <li>
      <Fold
        name={names[entry.kind]}
        mono
        note={plainText(firstWords(entry.messages[0]?.content))}
        end={<span title={inTokens(tokens)}>{count(tokens)}</span>}
      >
        {entry.messages.map(({ role, content, cut }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an entry's messages never change their order
          <div key={index}>
            <MessageContent name={role} content={content} />
            {cut === undefined ? null : (
              <p className="border-b py-2 pr-4 pl-9 text-muted">
                {count(cut)} more characters are not shown.
              </p>
            )}
          </div>
        ))}
      </Fold>
      {entry.stillWaiting.map(({ toolCallId, toolName, answered }) => (
        <p key={toolCallId} data-hook="still-waiting" className="border-b py-2 pr-4 pl-9 text-muted">
          <code className="font-mono text-mono">{toolName}</code> is marked “still waiting” because{' '}
          {answered ? 'its answer came later.' : 'it has no answer yet.'}
        </p>
      ))}
    </li>
  )
}
