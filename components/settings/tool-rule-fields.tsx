'use client'
import { scriptTool } from '@waystation/protocol/call/tool-names.ts'
import { useId } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Field } from '#components/ui/field.tsx'
import type { RuleFaults, RuleTexts } from './tool-rule-texts.ts'

const modes: { value: RuleTexts['mode']; label: string }[] = [
  { value: '', label: "use the agent's setting" },
  { value: 'auto', label: 'run automatically' },
  { value: 'ask', label: 'ask for approval' }
]

type ToolRuleFieldsProps = {
  name: string
  texts: RuleTexts
  faults: RuleFaults | undefined
  change: (texts: RuleTexts) => void
  remove: () => void
}

/** The form fields of one tool rule. */
export function ToolRuleFields({ name, texts, faults = {}, change, remove }: ToolRuleFieldsProps) {
  const id = useId()
  return (
    <fieldset
      data-hook="tool-rule"
      className="grid min-w-0 gap-x-4 gap-y-3 rounded-sm border p-3 mid:grid-cols-2"
    >
      <legend className="px-1 font-semibold">{name}</legend>
      <Field
        name="tool"
        label="Tool"
        value={texts.tool}
        onChange={tool => change({ ...texts, tool })}
        fault={faults.tool}
        placeholder="all tools"
        mono
      />
      <div className="flex min-w-0 flex-col gap-1">
        <label htmlFor={id} className="font-semibold">
          Otherwise
        </label>
        <select
          id={id}
          value={texts.mode}
          onChange={event => change({ ...texts, mode: event.target.value as RuleTexts['mode'] })}
          className="tap h-[30px] w-full min-w-0 rounded-sm border border-rail bg-panel px-2"
        >
          {modes.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <Field
        name="deny"
        label="Deny"
        value={texts.deny}
        onChange={deny => change({ ...texts, deny })}
        fault={faults.deny}
        rows={3}
        mono
      />
      <Field
        name="allow"
        label="Allow"
        value={texts.allow}
        onChange={allow => change({ ...texts, allow })}
        fault={faults.allow}
        rows={3}
        mono
      />
      {texts.tool.trim() === scriptTool ? (
        <p role="status" data-hook="always-asked" className="max-w-[68ch] text-muted mid:col-span-2">
          Every script needs approval of its exact text. For {scriptTool}, “run automatically” and “Allow”
          have no effect, but “Deny” works.
        </p>
      ) : null}
      <div className="flex flex-wrap items-center gap-3 mid:col-span-2">
        <Button onClick={remove} data-hook="remove-tool-rule">
          Remove {name.toLowerCase()}
        </Button>
        {faults.rule || faults.mode ? <p className="text-fail">{faults.rule ?? faults.mode}</p> : null}
      </div>
    </fieldset>
  )
}
