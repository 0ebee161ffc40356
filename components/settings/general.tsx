'use client'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { defaultWorkspaceId } from '@waystation/protocol/workspace/workspaces.ts'
import { FieldLine, FieldRows } from '#components/forms/field-rows.tsx'
import { FormField } from '#components/forms/form-field.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { DeleteWorkspace } from './delete-workspace.tsx'
import { LinkSecret } from './link-secret.tsx'
import { OwnerSection, SettingForm, SettingSection } from './setting-section.tsx'

/** Renames the workspace, rotates its link secret, and deletes it. `workspace` is undefined if the user is not an owner. */
export const General = ({ workspace }: { workspace: Workspace | undefined }) => (
  <>
    <OwnerSection title="General" hook="workspace" saved={workspace}>
      {saved => (
        <SettingForm workspace={saved} settings={['name']}>
          <FieldRows>
            <FormField name="name" label="Workspace name" required maxLength={80} />
            <FieldLine label="Workspace ID">
              <span data-hook="workspace-id" className="flex min-w-0 items-center gap-3">
                <code className="min-w-0 truncate font-mono text-mono">{saved.id}</code>
                <CopyButton text={saved.id} />
              </span>
            </FieldLine>
          </FieldRows>
        </SettingForm>
      )}
    </OwnerSection>
    {workspace === undefined ? null : (
      <>
        <LinkSecret />
        {workspace.id === defaultWorkspaceId ? null : (
          <SettingSection
            title="Delete this workspace"
            hook="delete"
            intro="Deletes all sessions, agents, connections, keys and members."
            action={<DeleteWorkspace name={workspace.name} />}
          />
        )}
      </>
    )}
  </>
)
