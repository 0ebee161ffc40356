'use client'
import { scriptTool } from '@waystation/protocol/call/tool-names.ts'
import { useWatch } from 'react-hook-form'
import { FormField } from '#components/forms/form-field.tsx'
import { FormSelect } from '#components/forms/form-select.tsx'
import { lines, optional } from '#components/forms/text-format.ts'
import { Button } from '#components/ui/button.tsx'

const modes = [
  { value: '', label: "use the agent's setting" },
  { value: 'auto', label: 'run automatically' },
  { value: 'ask', label: 'ask for approval' }
]

type ToolRuleFieldsProps = { at: number; remove: () => void }

/** The form fields of one tool rule. `at` is its index. */
export function ToolRuleFields({ at, remove }: ToolRuleFieldsProps) {
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
