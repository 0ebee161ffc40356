'use client'
import type { Grant } from '@waystation/protocol/call/grant.ts'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { useFieldArray } from 'react-hook-form'
import { SchemaForm } from '#components/forms/schema-form.tsx'
import { Button } from '#components/ui/button.tsx'
import { SaveLine } from '#components/ui/save-line.tsx'
import { Grants } from './grants.tsx'
import { ToolRuleFields } from './tool-rule-fields.tsx'
import { useWorkspaceForm } from './use-workspace-form.ts'
import { WorkspaceSection } from './workspace-section.tsx'

type Ruled = Pick<Workspace, 'toolRules'>
type ToolRulesProps = { ruled: Ruled | undefined; grants?: readonly Grant[] | undefined }

/**
 * Edits the rules that deny or allow tool calls, or require approval (docs/approvals.md). `ruled` is
 * undefined if the user is not an owner.
 */
export const ToolRules = ({ ruled, grants = [] }: ToolRulesProps) => (
  <WorkspaceSection
    title="Tool rules"
    hook="tool-rules"
    saved={ruled}
    ownersOnly="Only workspace owners can view and change tool rules."
  >
    {saved => (
      <>
        <RuleList {...saved} />
        <Grants grants={grants} />
      </>
    )}
  </WorkspaceSection>
)

function RuleList({ toolRules }: Ruled) {
  const { of, save, line } = useWorkspaceForm({ toolRules })
  const { fields, append, remove } = useFieldArray({ control: of.form.control, name: 'toolRules' })
  return (
    <>
      <p className="max-w-[68ch]">
        Waystation checks every tool call against these rules. Calls that match a “Deny” pattern never run.
        Calls that match an “Allow” pattern run without approval. “Otherwise” applies to all other calls.
      </p>
      <SchemaForm of={of} onSubmit={save} className="flex flex-col gap-3">
        <p className="max-w-[68ch] text-muted">
          Each line is a case-insensitive regular expression. Waystation looks for matches in{' '}
          <code className="font-mono text-mono">{'{"parameters":{…},"tool":"…"}'}</code>.
        </p>
        {fields.length === 0 ? (
          <p data-hook="no-tool-rules" className="text-muted">
            No rules yet.
          </p>
        ) : null}
        {fields.map(({ id }, at) => (
          <ToolRuleFields key={id} at={at} remove={() => remove(at)} />
        ))}
        <SaveLine act="Save rules" {...line}>
          <Button
            onClick={() => append({}, { shouldFocus: false })}
            disabled={fields.length >= 100}
            data-hook="add-tool-rule"
          >
            Add rule
          </Button>
        </SaveLine>
      </SchemaForm>
    </>
  )
}
