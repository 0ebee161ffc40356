import { type AgentTool, agentToolName } from '@waystation/protocol/agent/agent.ts'
import { useEffect, useRef, useState } from 'react'
import { FormDetails } from '#components/forms/form-details.tsx'
import { amount } from '#components/forms/text-format.ts'
import { ValueField } from '#components/forms/value-field.tsx'
import { Button } from '#components/ui/button.tsx'
import { Labeled } from '#components/ui/field.tsx'
import { Select } from '#components/ui/select.tsx'
import { CatalogToolFields } from './catalog-tool-fields.tsx'
import { HttpToolFields } from './http-tool-fields.tsx'
import { McpToolFields } from './mcp-tool-fields.tsx'
import { PluginToolFields } from './plugin-tool-fields.tsx'
import { fieldsOf, type ToolFieldsProps } from './tool-fields.ts'
import { kindOf, type ToolKind, toolKinds } from './tool-kinds.ts'

const fieldsByKind = {
  http: HttpToolFields,
  mcp: McpToolFields,
  plugin: PluginToolFields,
  catalog: CatalogToolFields
} satisfies Record<ToolKind, unknown>

type ToolRowProps = ToolFieldsProps & {
  /** False: the errors appear once the user leaves the row. */
  showAll: boolean
  /** True if the user has just added it. */
  isNew: boolean
  onRemove: () => void
}

/** A tool of another system, with the fields of its kind. */
export function ToolRow({ isNew, showAll, onRemove, faults, ...rest }: ToolRowProps) {
  const [left, setLeft] = useState(false)
  const props = { ...rest, faults: showAll || left ? faults : {} }
  const kind = kindOf(props.tool)
  // The row stays open when another one is added.
  const [open] = useState(isNew)
  const Fields = fieldsByKind[kind]
  const field = fieldsOf(props)
  const label = toolKinds.find(known => known.kind === kind)?.label
  const name = nameOf(props.tool)
  const approval = field<'ask' | 'auto' | undefined>('approval')
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (open) row.current?.querySelector<HTMLElement>('input, [role="combobox"]')?.focus()
  }, [open])
  return (
    <li
      ref={row}
      data-tool-kind={kind}
      onBlur={event => {
        if (!event.currentTarget.contains(event.relatedTarget)) setLeft(true)
      }}
      className="border-b py-2"
    >
      <FormDetails
        open={open}
        summaryClassName="[overflow-wrap:anywhere]"
        summary={
          <>
            <span className="font-mono text-mono font-semibold">{name || 'New tool'}</span>{' '}
            <span className="text-muted">· {label}</span>
          </>
        }
      >
        <div className="flex flex-col gap-3 pt-3 pl-5">
          <Fields {...props} />
          <div className="grid items-start gap-x-4 gap-y-3 mid:grid-cols-2">
            <Labeled label="Approval" fault={approval.fault}>
              {control => (
                <Select
                  {...control}
                  value={approval.value ?? defaultApproval(kind)}
                  onChange={approval.onChange}
                  options={approvals}
                />
              )}
            </Labeled>
            {kind === 'mcp' || kind === 'plugin' ? (
              <ValueField
                {...field('timeoutSeconds')}
                as={amount}
                label="Timeout (seconds)"
                hint="Leave empty to use the agent's timeout."
                inputMode="decimal"
              />
            ) : (
              <ValueField
                {...field('deadlineSeconds')}
                as={amount}
                label="Deadline (seconds)"
                hint="How long a call stays open. Up to 2592000 (30 days)."
                inputMode="numeric"
              />
            )}
            {kind === 'catalog' ? null : (
              <ValueField
                {...field('duration')}
                as={amount}
                label="Steps in the prompt"
                hint="For how many later steps its results stay in the prompt. Leave empty for all."
                inputMode="numeric"
              />
            )}
          </div>
          <Button tone="danger" className="self-start" data-hook="remove-tool" onClick={onRemove}>
            Remove<span className="sr-only"> {name || 'the new tool'}</span>
          </Button>
        </div>
      </FormDetails>
    </li>
  )
}

const approvals: { value: 'ask' | 'auto'; label: string }[] = [
  { value: 'ask', label: 'Ask for approval' },
  { value: 'auto', label: 'Run automatically' }
]

/** The calls of an HTTP tool run at once if its configuration does not say otherwise. */
const defaultApproval = (kind: ToolKind) => (kind === 'http' ? 'auto' : 'ask')

/** Returns the name of a tool. One that is not complete yet has none. */
function nameOf(tool: AgentTool): string {
  if ('mcp' in tool) return tool.mcp
  if ('plugin' in tool) return tool.plugin
  if ('@ag.embed' in tool && !tool.name) {
    const { workflow, agent } = tool['@ag.embed']?.['@ag.references'] ?? {}
    return (workflow ?? agent)?.slug ?? (workflow ?? agent)?.id ?? ''
  }
  return agentToolName(tool)
}
