import type { AgentTool } from '@waystation/protocol/agent/agent.ts'
import { useEffect, useRef, useState } from 'react'
import { AmountField } from '#components/forms/form-amount.tsx'
import { DurationField } from '#components/forms/form-duration.tsx'
import { CatalogToolFields } from './catalog-tool-fields.tsx'
import { HttpToolFields } from './http-tool-fields.tsx'
import { McpToolFields } from './mcp-tool-fields.tsx'
import { PluginToolFields } from './plugin-tool-fields.tsx'
import { fieldsOf, type ToolFieldsProps } from './tool-fields.ts'
import { ToolItem } from './tool-item.tsx'
import { approvalOfOther, kindOf, nameOf, type ToolKind } from './tool-kinds.ts'

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
  const name = nameOf(props.tool)
  const approval = field<'ask' | 'auto' | undefined>('approval')
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (open) row.current?.querySelector<HTMLElement>('input, [role="combobox"]')?.focus()
  }, [open])
  return (
    <ToolItem
      ref={row}
      data-tool-kind={kind}
      onBlur={event => {
        if (!event.currentTarget.contains(event.relatedTarget)) setLeft(true)
      }}
      name={name}
      line={lineOf(props.tool)}
      approval={approvalOfOther(props.tool)}
      onApproval={approval.onChange}
      onRemove={onRemove}
      opened={open}
    >
      <Fields {...props} />
      <div className="grid items-start gap-x-4 gap-y-3 mid:grid-cols-2">
        {kind === 'mcp' || kind === 'plugin' ? (
          <DurationField {...field('timeoutSeconds')} label="Timeout" placeholder="Default" />
        ) : (
          <DurationField
            {...field('deadlineSeconds')}
            label="Deadline"
            placeholder="Default"
            hint="How long a call stays open, up to 30 days."
          />
        )}
        {kind === 'catalog' ? null : (
          <AmountField
            {...field('duration')}
            label="Results in the prompt"
            unit="steps"
            hint="For how many later steps they stay."
            placeholder="All"
          />
        )}
      </div>
    </ToolItem>
  )
}

/** Says in one line what a tool of another system is. */
function lineOf(tool: AgentTool): string {
  if ('mcp' in tool || 'plugin' in tool) return tool.tools?.join(', ') ?? 'All tools'
  return 'where' in tool ? (tool.title ?? tool.description) : 'The newest version of the entry'
}
