'use client'
import type { AuditAction, AuditPage } from '@waystation/protocol/workspace/audit.ts'
import { useRef } from 'react'
import { useListKeys } from '#components/browser/use-list-keys.ts'
import { useOnceTrue } from '#components/browser/use-once-true.ts'
import { Button } from '#components/ui/button.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { Field, Labeled } from '#components/ui/field.tsx'
import { Select } from '#components/ui/select.tsx'
import { type AuditFilter, auditEvents, auditPath, filterLength, noFilter } from './audit-filter.ts'
import { AuditRow } from './audit-row.tsx'
import { OwnerSection } from './setting-section.tsx'
import { useAudit } from './use-audit.ts'

const events = [
  { value: '' as const, label: 'All events' },
  ...Object.entries(auditEvents).map(([value, label]) => ({ value: value as AuditAction, label }))
]

/** The audit log of the workspace. `first` is the page that the server rendered. Undefined: the user is not an owner. */
export const Audit = ({ first, shown }: { first: AuditPage | undefined; shown: AuditFilter }) => (
  <OwnerSection
    title="Audit log"
    hook="audit"
    saved={first}
    intro="Decisions of tool rules, replies from external agents, and changes of this workspace."
  >
    {saved => <AuditList first={saved} shown={shown} />}
  </OwnerSection>
)

/** Lists the audit log of the workspace, newest first. `first` is the page that the server rendered. */
function AuditList({ first, shown }: { first: AuditPage; shown: AuditFilter }) {
  const { filter, setFilter, entries, busy, fault, hasMore, more, look } = useAudit(first, shown)
  const list = useRef<HTMLOListElement>(null)
  useListKeys(list, 'a')
  const isFiltered = auditPath(filter) !== auditPath(noFilter)
  const hasFilters = useOnceTrue(isFiltered || entries.length > 0)
  const set = (change: Partial<AuditFilter>) => setFilter({ ...filter, ...change })
  return (
    <div className="flex flex-col gap-3" aria-busy={busy}>
      <fieldset aria-label="Filter entries" className="flex flex-wrap items-end gap-3">
        {hasFilters ? (
          <>
            <div className="flex-1 basis-40 max-mid:basis-full">
              <Labeled label="Event">
                {control => (
                  <Select
                    {...control}
                    data-hook="audit-action"
                    value={filter.action}
                    onChange={action => set({ action })}
                    options={events}
                    className="w-full"
                  />
                )}
              </Labeled>
            </div>
            {(
              [
                ['actor', 'Person or agent'],
                ['sessionId', 'Session ID']
              ] as const
            ).map(([name, label]) => (
              <div key={name} className="flex-1 basis-40">
                <Field
                  name={name}
                  label={label}
                  value={filter[name]}
                  onChange={value => set({ [name]: value })}
                  maxLength={filterLength[name]}
                  data-hook={`audit-${name}`}
                />
              </div>
            ))}
          </>
        ) : null}
        <Button tone="quiet" onClick={look} data-hook="refresh" className="mb-1 ml-auto">
          Refresh list
        </Button>
      </fieldset>
      <p role="status" className={busy ? 'text-muted' : 'sr-only'}>
        {busy ? 'Loading…' : ''}
      </p>
      <p role="alert" data-hook="audit-error" className={fault === undefined ? 'sr-only' : 'font-semibold'}>
        {fault}
      </p>
      {entries.length > 0 ? (
        <ol ref={list} aria-label="Audit entries" data-hook="audit-entries" className="border-t">
          {entries.map(entry => (
            <AuditRow key={entry.id} entry={entry} />
          ))}
        </ol>
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
    <Empty title="No audit entries yet" data-hook="no-audit-entries" />
  )
