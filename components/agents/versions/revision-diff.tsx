import { useState } from 'react'
import { DiffList } from '#components/ui/diff-list.tsx'
import { Select } from '#components/ui/select.tsx'
import { useComparison } from './use-comparison.ts'

type RevisionDiffProps = {
  agentId: string
  /** `draft`, or the number of a revision. */
  name: string
  /** The revisions that it can be compared with, the default first. */
  others: readonly string[]
  /** The version of the draft. */
  version: number | undefined
}

/** Shows the changes of a revision, or of the draft, since another revision. */
export function RevisionDiff({ agentId, name, others, version }: RevisionDiffProps) {
  const [from = '', setFrom] = useState(others[0])
  const { comparison, fault } = useComparison(agentId, { from, to: name }, version)
  return (
    <div className="relative col-span-full flex mid:col-start-2 min-w-0 flex-col gap-3 pt-3 pb-2">
      {others.length > 1 ? (
        <label className="flex items-center gap-2">
          Changes since
          <Select
            data-hook="compare-from"
            value={from}
            onChange={setFrom}
            options={others.map(value => ({ value, label: `Version ${value}` }))}
          />
        </label>
      ) : null}
      <div aria-live="polite">
        {fault === undefined ? null : <p className="text-fail">{fault}</p>}
        {comparison === undefined ? null : <DiffList {...comparison} of={`${from} to ${name}`} />}
      </div>
    </div>
  )
}
