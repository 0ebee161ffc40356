'use client'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { FormField } from '#components/forms/form-field.tsx'
import { lines, type TextFormat, words } from '#components/forms/text-format.ts'
import { SettingForm, WorkspaceSection } from './workspace-section.tsx'

/** An empty list removes all origins. */
const origins: TextFormat = { ...lines, parse: typed => words.parse(typed) ?? [] }

/**
 * Sets the origins that can use session tokens of the workspace (docs/embedding.md). `workspace` is undefined if
 * the user is not an owner.
 */
export const Embedding = ({ workspace }: { workspace: Workspace | undefined }) => (
  <WorkspaceSection
    title="Embedding"
    saved={workspace}
    ownersOnly="Only workspace owners can view and change the allowed origins."
    intro="Embed sessions in your own product. Your server creates a session token for each user, and your page uses it to send messages and answer requests."
  >
    {saved => (
      <SettingForm workspace={saved} setting="allowedOrigins" act="Save origins">
        <FormField
          name="allowedOrigins"
          as={origins}
          label="Allowed origins"
          hint="One per line, like https://shop.example. Session tokens from any other origin are rejected. Your own servers don't need an entry."
          rows={4}
          mono
        />
      </SettingForm>
    )}
  </WorkspaceSection>
)
