'use client'
import type { AuditAction, AuditPage } from '@waystation/protocol/workspace/audit.ts'
import { useRef } from 'react'
import { useListKeys } from '#components/browser/use-list-keys.ts'
import { useOnceTrue } from '#components/browser/use-once-true.ts'
import { OwnerSection } from '#components/settings/setting-section.tsx'
import { Button } from '#components/ui/button.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { Input } from '#components/ui/input.tsx'
import { Select } from '#components/ui/select.tsx'
import { Link } from '#components/workspace/link.tsx'
import { type AuditFilter, auditEvents, auditPath, filterLength, noFilter } from './audit-filter.ts'
import { AuditHead, AuditRow } from './audit-row.tsx'
import { useAudit } from './use-audit.ts'

const events = [
  { value: '' as const, label: 'All actions' },
  ...Object.entries(auditEvents).map(([value, label]) => ({ value: value as AuditAction, label }))
]

/** The audit log of the workspace. `first` is the page that the server rendered. Undefined: the user is not an owner. */
export const Audit = ({ first, shown }: { first: AuditPage | undefined; shown: AuditFilter }) => (
  <OwnerSection
    title="Audit log"
    hook="audit"
    saved={first}
    intro="Decisions of tool rules, messages from external agents, and changes to this workspace."
  >
    {saved => <AuditList first={saved} shown={shown} />}
  </OwnerSection>
)

/** Lists the audit log of the workspace, newest first. `first` is the page that the server rendered. */
function AuditList({ first, shown }: { first: AuditPage; shown: AuditFilter }) {
  const { filter, setFilter, entries, busy, fault, hasMore, more, look } = useAudit(first, shown)
  const list = useRef<HTMLOListElement>(null)
  useListKeys(list, 'summary')
  const isFiltered = auditPath(filter) !== auditPath(noFilter)
  const hasFilters = useOnceTrue(isFiltered || entries.length > 0)
  const set = (change: Partial<AuditFilter>) => setFilter({ ...filter, ...change })
  return (
    <div className="flex flex-col gap-4" aria-busy={busy}>
      {hasFilters ? (
        <fieldset aria-label="Filter entries" className="grid grid-cols-2 gap-2 mid:grid-cols-3">
          <Select
            aria-label="Action"
            data-hook="audit-action"
            value={filter.action}
            onChange={action => set({ action })}
            options={events}
            className="max-mid:col-span-full"
          />
          {(
            [
              ['actor', 'Person or agent'],
              ['sessionId', 'Session ID']
            ] as const
          ).map(([name, label]) => (
            <Input
              key={name}
              name={name}
              aria-label={label}
              placeholder={label}
              value={filter[name]}
              onChange={event => set({ [name]: event.target.value })}
              maxLength={filterLength[name]}
              data-hook={`audit-${name}`}
            />
          ))}
        </fieldset>
      ) : null}
      <p role="status" className="sr-only">
        {busy ? 'Loading…' : ''}
      </p>
      <div className={fault === undefined ? 'sr-only' : 'flex items-center gap-4'}>
        <p role="alert" data-hook="audit-error" className="text-fail">
          {fault}
        </p>
        {fault === undefined ? null : (
          <Button onClick={look} data-hook="refresh">
            Try again
          </Button>
        )}
      </div>
      {entries.length > 0 ? (
        <div>
          <AuditHead />
          <ol ref={list} aria-label="Audit entries" data-hook="audit-entries" className="border-t">
            {entries.map(entry => (
              <AuditRow key={entry.id} entry={entry} />
            ))}
          </ol>
        </div>
      ) : busy || fault !== undefined ? null : (
        <Nothing isFiltered={isFiltered} clear={() => setFilter(noFilter)} />
      )}
      {hasMore ? (
        <p>
          <Button onClick={more} disabled={busy} data-hook="show-more">
            Show earlier entries
          </Button>
        </p>
      ) : null}
    </div>
  )
}

/** The empty state of the page, or of the filter. */
const Nothing = ({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) =>
  isFiltered ? (
    <Empty
      title="No entries match this filter"
      data-hook="no-audit-entries"
      action={
        <Button onClick={clear} data-hook="clear-filter">
          Clear filter
        </Button>
      }
    />
  ) : (
    <div>
      <AuditHead />
      <p data-hook="no-audit-entries" className="border-y py-3 text-muted">
        The first entry appears after a change to this workspace, or when a{' '}
        <Link href="/settings/tool-rules" className="reach underline">
          tool rule
        </Link>{' '}
        decides a call.
      </p>
    </div>
  )
