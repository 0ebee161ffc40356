'use client'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { defaultWorkspaceId } from '@waystation/protocol/workspace/workspaces.ts'
import { FormField } from '#components/forms/form-field.tsx'
import { DeleteWorkspace } from './delete-workspace.tsx'
import { SettingForm, WorkspaceSection } from './workspace-section.tsx'

/** Renames the workspace, and deletes it. `workspace` is undefined if the user is not an owner. */
export const General = ({ workspace }: { workspace: Workspace | undefined }) => (
  <WorkspaceSection
    title="Workspace"
    hook="workspace"
    saved={workspace}
    ownersOnly="Only workspace owners can rename or delete the workspace."
    intro="A workspace has its own agents, sessions, connections and members."
  >
    {saved => (
      <>
        <SettingForm workspace={saved} setting="name" act="Save name">
          <FormField name="name" label="Name" required maxLength={80} />
        </SettingForm>
        {saved.id === defaultWorkspaceId ? (
          <p className="text-muted">Every server has this workspace, so it can't be deleted.</p>
        ) : (
          <DeleteWorkspace name={saved.name} />
        )}
      </>
    )}
  </WorkspaceSection>
)
