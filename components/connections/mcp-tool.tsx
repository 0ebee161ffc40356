import type { McpServerTool } from '@waystation/protocol/connection/mcp.ts'
import { ConfirmButton } from '#components/ui/confirm-button.tsx'
import { DiffList } from '#components/ui/diff-list.tsx'
import { Json } from '#components/ui/json.tsx'
import { Time } from '#components/ui/time.tsx'
import { VisibleText } from '#components/ui/visible-text.tsx'
import { Parameters } from '#components/workspace/parameters.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'

/** Accepts a tool definition by its digest. Returns an error text, or undefined if it was accepted. */
export type AcceptTool = (tool: string, digest: string) => Promise<string | undefined>

/**
 * A tool that expands to its description and parameters. A new tool is expanded at first, and so is a changed
 * one, with its changes.
 */
export function ToolItem({ tool, accept }: { tool: McpServerTool; accept: AcceptTool }) {
  const { name, title, description, inputSchema, acceptedAt, acceptedBy, offered } = tool
  const isNew = acceptedAt === undefined
  return (
    <li
      data-tool={name}
      data-changed={offered === undefined || isNew ? undefined : true}
      data-new={isNew || undefined}
      className="border-b"
    >
      <details open={offered !== undefined}>
        <summary className="tap flex min-h-9 items-center py-1">
          <span className="shrink-0 pr-3 font-mono text-mono [overflow-wrap:anywhere]">
            <VisibleText text={name} />
          </span>
          <span className="min-w-0 flex-1 truncate text-muted">{title ?? description}</span>
          {offered === undefined ? null : (
            <span className="shrink-0 pl-3 text-you">{isNew ? 'new' : 'changed'}</span>
          )}
        </summary>
        <div className="flex min-w-0 flex-col gap-3 pt-1 pb-4">
          {offered === undefined ? null : (
            <Offer name={name} offered={offered} isNew={isNew} accept={accept} />
          )}
          <p className="max-w-[68ch] whitespace-pre-wrap [overflow-wrap:anywhere]">
            {description === '' ? (
              <span className="text-muted">No description.</span>
            ) : (
              <VisibleText text={description} />
            )}
          </p>
          <Parameters schema={inputSchema} of={name} />
          <details>
            <summary className="tap inline-flex items-center text-muted">JSON Schema</summary>
            <Json label={`Schema of ${name}`} value={inputSchema} />
          </details>
          {isNew ? null : (
            <p data-hook="accepted-by" className="text-muted">
              Accepted{acceptedBy === undefined ? ' when first listed,' : ` by ${acceptedBy},`}{' '}
              <Time at={acceptedAt} short />.
            </p>
          )}
        </div>
      </details>
    </li>
  )
}

type OfferProps = {
  name: string
  offered: NonNullable<McpServerTool['offered']>
  isNew: boolean
  accept: AcceptTool
}

/** A changed definition or a new tool. Agents get it only after an editor accepts it. */
function Offer({ name, offered, isNew, accept }: OfferProps) {
  const { me } = useWorkspace()
  return (
    <div className="flex min-w-0 flex-col items-start gap-3 border-l-2 border-l-you pl-4">
      <p className="max-w-[68ch]">
        {isNew
          ? 'The server added this tool later. Agents can use it once an editor accepts it.'
          : "The server changed this tool's definition. Agents still use the accepted one, and the next call needs approval."}
      </p>
      {isNew ? null : (
        <div className="w-full">
          <DiffList changes={offered.changes} of={name} />
        </div>
      )}
      {me.mayEdit ? (
        <ConfirmButton
          data-hook="accept-definition"
          title={isNew ? `Accept ${name}?` : `Accept the new definition of ${name}?`}
          description={
            isNew
              ? 'Agents that use this server get the tool in their next turn. Agents that list their tools by name get it only if the list includes it.'
              : 'Agents that use this tool get the new definition. Its calls no longer need approval because of the change.'
          }
          act={isNew ? 'Accept tool' : 'Accept definition'}
          onAct={() => accept(name, offered.digest)}
        >
          {isNew ? 'Accept tool…' : 'Accept definition…'}
        </ConfirmButton>
      ) : (
        <p className="text-muted">Ask an editor or owner to accept it.</p>
      )}
    </div>
  )
}
