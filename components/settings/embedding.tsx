'use client'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { FormField } from '#components/forms/form-field.tsx'
import { lines, type TextFormat, words } from '#components/forms/text-format.ts'
import { CodeRow } from '#components/workspace/code-row.tsx'
import { OwnerSection, SettingForm } from './setting-section.tsx'

/** An empty list removes all origins. */
const origins: TextFormat = { ...lines, parse: typed => words.parse(typed) ?? [] }

/** The example of docs/embedding.md. */
const snippet = `<WaystationProvider client={createClient({ url, token })} scopes={scopes} me={user}>
  <Session sessionId={sessionId} agentName="Support" />
</WaystationProvider>`

/**
 * Sets the origins that can use session tokens of the workspace (docs/embedding.md). `workspace` is undefined if
 * the user is not an owner.
 */
export const Embedding = ({ workspace }: { workspace: Workspace | undefined }) => (
  <OwnerSection
    title="Embedding"
    hook="embedding"
    saved={workspace}
    intro="Show sessions in your own product: your server creates a session token for each user, and your page uses it."
  >
    {saved => (
      <>
        <CodeRow code={snippet} />
        <SettingForm workspace={saved} settings={['allowedOrigins']}>
          <FormField
            name="allowedOrigins"
            as={origins}
            label="Allowed origins"
            hint="One per line. Session tokens from any other origin are rejected. Your own servers don't need an entry."
            placeholder="https://shop.example"
            rows={5}
            mono
          />
        </SettingForm>
      </>
    )}
  </OwnerSection>
)
