'use client'
import type { AuditPage } from '@waystation/protocol/workspace/audit.ts'
import type { AuditFilter } from './audit-filter.ts'
import { AuditList } from './audit-list.tsx'
import { OwnerSection } from './setting-section.tsx'

/** The audit log of the workspace. `first` is the page that the server rendered. Undefined: the user is not an owner. */
export const Audit = ({ first, shown }: { first: AuditPage | undefined; shown: AuditFilter }) => (
  <OwnerSection
    title="Audit log"
    hook="audit"
    saved={first}
    intro="Replies from external agents, decisions of tool rules, remembered approvals and changed turns."
  >
    {saved => <AuditList first={saved} shown={shown} />}
  </OwnerSection>
)
