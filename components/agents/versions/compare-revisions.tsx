import { useState } from 'react'
import { DiffList } from '#components/ui/diff-list.tsx'
import { Select } from '#components/ui/select.tsx'
import { useComparison } from './use-comparison.ts'

type CompareRevisionsProps = { agentId: string; names: readonly string[]; version: number | undefined }

/**
 * Compares two states of an agent. `names` lists `draft`, if there is one, and the revisions, newest first.
 * `version` is the version of the draft.
 */
export function CompareRevisions({ agentId, names, version }: CompareRevisionsProps) {
  const [from, setFrom] = useState(names[1] ?? '')
  const [to, setTo] = useState(names[0] ?? '')
  const [shown, setShown] = useState(false)
  const { comparison, fault } = useComparison(agentId, shown ? { from, to } : undefined, version)
  const choice = (hook: string, label: string, value: string, choose: (name: string) => void) => (
    <label className="flex items-center gap-2">
      {label}
      <Select data-hook={hook} value={value} onChange={choose} options={names} mono />
    </label>
  )
  return (
    <details data-hook="compare-revisions" onToggle={event => setShown(event.currentTarget.open)}>
      <summary className="tap cursor-pointer py-1 font-semibold">Compare versions</summary>
      <div className="flex flex-col gap-3 pt-2">
        <div className="flex flex-wrap gap-x-4 gap-y-2">
          {choice('compare-from', 'From', from, setFrom)}
          {choice('compare-to', 'To', to, setTo)}
        </div>
        <div aria-live="polite">
          {fault === undefined ? null : <p className="text-fail">{fault}</p>}
          {comparison === undefined ? null : <DiffList {...comparison} of={`${from} to ${to}`} />}
        </div>
      </div>
    </details>
  )
}
