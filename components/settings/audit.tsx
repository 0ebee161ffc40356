'use client'
import { Link } from '#components/workspace/link.tsx'
import { WorkspaceSection } from './workspace-section.tsx'

/** Leads owners to the audit log of the workspace. */
export const Audit = ({ mayOwn }: { mayOwn: boolean }) => (
  <WorkspaceSection
    title="Audit log"
    hook="audit"
    saved={mayOwn || undefined}
    ownersOnly="Only workspace owners can view the audit log."
    intro="The audit log records replies from external agents, decisions of tool rules, remembered approvals and changed turns."
  >
    {() => (
      <p>
        <Link href="/settings/audit" data-hook="open-audit">
          Open audit log
        </Link>
      </p>
    )}
  </WorkspaceSection>
)
