'use client'
import type { Grant } from '@waystation/protocol/call/grant.ts'
import { scriptTool } from '@waystation/protocol/call/tool-names.ts'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { useFieldArray, useWatch } from 'react-hook-form'
import { FormField } from '#components/forms/form-field.tsx'
import { FormSelect } from '#components/forms/form-select.tsx'
import { SaveBar } from '#components/forms/save-bar.tsx'
import { SchemaForm } from '#components/forms/schema-form.tsx'
import { lines, optional } from '#components/forms/text-format.ts'
import { Button } from '#components/ui/button.tsx'
import { Grants } from './grants.tsx'
import { OwnerSection } from './setting-section.tsx'
import { useWorkspaceForm } from './use-workspace-form.ts'

type ToolRulesProps = { workspace: Workspace | undefined; grants?: readonly Grant[] | undefined }

/**
 * Edits the rules that deny or allow tool calls, or require approval (docs/approvals.md). `workspace`
 * is undefined if the user is not an owner.
 */
export const ToolRules = ({ workspace, grants }: ToolRulesProps) => (
  <>
    <OwnerSection
      title="Tool rules"
      hook="tool-rules"
      saved={workspace}
      intro="Every tool call is checked: Deny blocks it, Allow skips approval, and Otherwise decides the rest."
    >
      {saved => <RuleList workspace={saved} />}
    </OwnerSection>
    {grants === undefined ? null : <Grants grants={grants} />}
  </>
)

function RuleList({ workspace }: { workspace: Workspace }) {
  const { of, save, bar } = useWorkspaceForm(['toolRules'], workspace)
  const { fields, append, remove } = useFieldArray({ control: of.form.control, name: 'toolRules' })
  return (
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
      <Button
        onClick={() => append({}, { shouldFocus: false })}
        disabled={fields.length >= 100}
        data-hook="add-tool-rule"
        className="self-start"
      >
        Add rule
      </Button>
      <SaveBar {...bar} />
    </SchemaForm>
  )
}

const modes = [
  { value: '', label: "use the agent's setting" },
  { value: 'auto', label: 'run automatically' },
  { value: 'ask', label: 'ask for approval' }
]

type ToolRuleFieldsProps = { at: number; remove: () => void }

/** The form fields of one tool rule. `at` is its index. */
function ToolRuleFields({ at, remove }: ToolRuleFieldsProps) {
  const path = `toolRules.${at}`
  const name = `Rule ${at + 1}`
  const tool = useWatch({ name: `${path}.tool` })
  return (
    <fieldset
      data-hook="tool-rule"
      className="grid min-w-0 gap-x-4 gap-y-3 rounded-sm border p-3 mid:grid-cols-2"
    >
      <legend className="px-1 font-semibold">{name}</legend>
      <FormField name={`${path}.tool`} as={optional} label="Tool" placeholder="all tools" mono />
      <FormSelect name={`${path}.mode`} label="Otherwise" fallback="" options={modes} />
      <FormField name={`${path}.deny`} as={lines} label="Deny" rows={3} mono />
      <FormField name={`${path}.allow`} as={lines} label="Allow" rows={3} mono />
      {tool === scriptTool ? (
        <p role="status" data-hook="always-asked" className="max-w-[68ch] text-muted mid:col-span-2">
          Every script needs approval of its exact text. For {scriptTool}, “run automatically” and “Allow”
          have no effect, but “Deny” works.
        </p>
      ) : null}
      <div className="mid:col-span-2">
        <Button onClick={remove} data-hook="remove-tool-rule">
          Remove {name.toLowerCase()}
        </Button>
      </div>
    </fieldset>
  )
}
