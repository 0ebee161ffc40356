'use client'
import { FormField } from '#components/forms/form-field.tsx'
import { SchemaForm } from '#components/forms/schema-form.tsx'
import { lines, type TextFormat, words } from '#components/forms/text-format.ts'
import { SaveLine } from '#components/ui/save-line.tsx'
import { useWorkspaceForm } from './use-workspace-form.ts'
import { WorkspaceSection } from './workspace-section.tsx'

type EmbeddingProps = { allowedOrigins: string[] | undefined }

/**
 * Sets the origins that can use session tokens of the workspace (docs/embedding.md). `allowedOrigins` is
 * undefined if the user is not an owner.
 */
export const Embedding = ({ allowedOrigins }: EmbeddingProps) => (
  <WorkspaceSection
    title="Embedding"
    saved={allowedOrigins}
    ownersOnly="Only workspace owners can view and change the allowed origins."
  >
    {saved => <Origins saved={saved} />}
  </WorkspaceSection>
)

/** An empty list removes all origins. */
const origins: TextFormat = { ...lines, parse: typed => words.parse(typed) ?? [] }

function Origins({ saved }: { saved: string[] }) {
  const { of, save, line } = useWorkspaceForm({ allowedOrigins: saved })
  return (
    <>
      <p className="max-w-[68ch]">
        Embed sessions in your own product. Your server creates a session token for each user, and your page
        uses it to send messages and answer requests.
      </p>
      <SchemaForm of={of} onSubmit={save} className="flex flex-col gap-3">
        <FormField
          name="allowedOrigins"
          as={origins}
          label="Allowed origins"
          hint="One per line, like https://shop.example. Session tokens from any other origin are rejected. Your own servers don't need an entry."
          rows={4}
          mono
        />
        <SaveLine act="Save origins" {...line} />
      </SchemaForm>
    </>
  )
}
