import type { Comparison, ConfigChange } from '@waystation/protocol/agent/comparison.ts'
import { kindWord, placeOf, textOf } from './change-words.ts'
import { linesBetween } from './lines-between.ts'
import { ScrollBox } from './scroll-box.tsx'
import { VisibleText } from './visible-text.tsx'

/**
 * Shows the differences between two configurations. With `widens`, it first lists the changes that let the
 * agent do more. `of` names the compared configurations for screen readers.
 */
export function DiffList({
  changes,
  widens,
  of
}: Pick<Comparison, 'changes'> & Partial<Comparison> & { of: string }) {
  if (changes.length === 0) return <p className="text-muted">No changes.</p>
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {widens === undefined ? null : widens.length === 0 ? (
        <p className="text-muted">These changes don't let the agent do more than before.</p>
      ) : (
        <div>
          <p className="font-semibold">These changes let the agent do more:</p>
          <ul aria-label="New permissions and limits" data-hook="widened" className="list-disc pl-5">
            {widens.map(sentence => (
              <li key={sentence} className="[overflow-wrap:anywhere]">
                {sentence}
              </li>
            ))}
          </ul>
        </div>
      )}
      <ul aria-label="Changes" data-hook="changes" className="border-t">
        {changes.map(change => (
          <li key={`${change.kind} ${change.path.join('\n')}`} className="flex flex-col gap-1 border-b py-2">
            <p className="flex flex-wrap gap-x-3">
              <span className="min-w-0 font-mono text-mono [overflow-wrap:anywhere]">{placeOf(change)}</span>
              <span className="text-muted">{kindWord[change.kind]}</span>
            </p>
            <Values change={change} of={of} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The old and the new value: in one line if both are short, otherwise line by line. */
function Values({ change, of }: { change: ConfigChange; of: string }) {
  const { kind, before, after } = change
  if (kind === 'moved') return <p className="[overflow-wrap:anywhere]">{(after as string[]).join(', ')}</p>
  // The name of a removed item says enough.
  if (kind === 'removed' && typeof before === 'object') return null
  const [was, is] = [before, after].map(value => (value === undefined ? '' : textOf(value))) as [
    string,
    string
  ]
  if (isShort(was) && isShort(is))
    return (
      <p className="flex flex-wrap gap-x-2 [overflow-wrap:anywhere]">
        {kind === 'added' ? null : (
          <del className="text-muted">
            <VisibleText text={was || '(empty)'} />
          </del>
        )}
        {kind === 'changed' ? <span aria-hidden>→</span> : null}
        {kind === 'removed' ? null : (
          <ins className="font-semibold no-underline">
            <VisibleText text={is || '(empty)'} />
          </ins>
        )}
      </p>
    )
  const lines = linesBetween(was, is)
  return (
    <ScrollBox label={`${placeOf(change)} of ${of}`} className="max-h-60">
      <pre className="p-2 font-mono text-mono whitespace-pre-wrap [overflow-wrap:anywhere]">
        {lines.map(({ sign, text }, index) => {
          const Tag = sign === '−' ? 'del' : sign === '+' ? 'ins' : 'span'
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text, which never move
            <Tag key={index} className={`block no-underline ${sign === '+' ? '' : 'text-muted'}`}>
              {sign} <VisibleText text={text} />
            </Tag>
          )
        })}
      </pre>
    </ScrollBox>
  )
}

const isShort = (text: string) => text.length <= 120 && !text.includes('\n')
