import type { ComponentProps, ReactNode } from 'react'
import type { ToolChoice } from '#components/agents/agent-form.ts'
import { FormDetails } from '#components/forms/form-details.tsx'
import { IconButton } from '#components/ui/button.tsx'
import { CloseIcon } from '#components/ui/icons.tsx'
import { ToolApproval, type ToolApprovalProps } from './tool-approval.tsx'

type ToolItemProps = Omit<ComponentProps<'li'>, keyof ToolApprovalProps> &
  ToolApprovalProps & {
    line: ReactNode
    onRemove: () => void
    /** True if the settings are open at first. */
    opened?: boolean
    /** The settings. */
    children: ReactNode
  }

/** A chosen tool in one row: what it does, if its calls need approval, and settings that open on demand. */
export function ToolItem(props: ToolItemProps) {
  const {
    name,
    line,
    approval,
    onApproval,
    alwaysAsked,
    answered,
    onRemove,
    opened = false,
    children,
    ...li
  } = props
  return (
    <li
      {...li}
      className="relative isolate border-b before:absolute before:inset-y-0 before:-inset-x-3 before:-z-10 not-has-[details[open]]:hover:before:bg-panel"
    >
      <FormDetails
        open={opened}
        data-hook="tool-settings"
        summaryClassName="flex max-w-[calc(100%-160px)] min-w-[calc(100%-160px)] items-baseline py-2.5"
        summary={<ToolLine name={name || 'New tool'} line={line} />}
      >
        <div className="flex flex-col gap-3 pt-2 pb-4 pl-[17px]">{children}</div>
      </FormDetails>
      <div className="absolute top-[5px] -right-2 flex items-center gap-1">
        <ToolApproval {...{ name, approval, onApproval, alwaysAsked, answered }} />
        <IconButton label={`Remove ${name || 'the new tool'}`} data-hook="remove-tool" onClick={onRemove}>
          <CloseIcon />
        </IconButton>
      </div>
    </li>
  )
}

/** The name of a tool and what it does, in one line if there is enough space, and else in two. */
export const ToolLine = ({ name, line }: { name: string; line: ReactNode }) => (
  <span className="@container min-w-0 flex-1">
    <span className="grid items-baseline gap-x-3 @min-[480px]:grid-cols-[160px_minmax(0,1fr)]">
      <span className="font-mono text-mono font-semibold [overflow-wrap:anywhere]">{name}</span>
      <span className="text-muted mid:line-clamp-1 mid:has-[.text-fail]:line-clamp-none">{line}</span>
    </span>
  </span>
)

/** The purpose and the origin of a tool of the server, or the reason why this server cannot run it. */
export const LineOf = ({ tool: { source, unavailable }, line }: { tool: ToolChoice; line: string }) =>
  unavailable === undefined ? (
    <>
      {line}
      {source === undefined ? null : <span data-hook="tool-source"> From {source}</span>}
    </>
  ) : (
    <span data-hook="tool-unavailable" className="text-fail">
      {unavailable}
    </span>
  )
