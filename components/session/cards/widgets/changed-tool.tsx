import type { Call } from '@waystation/protocol/call/call.ts'
import { ToolChanged } from '@waystation/protocol/connection/tool-changed.ts'
import { DiffList } from '#components/ui/diff-list.tsx'

/** Shows how a tool differs from the definition that was accepted (001-19). Shows nothing for other calls. */
export function ChangedTool({ call }: { call: Call }) {
  const { data: changed } = ToolChanged.safeParse(call.render)
  if (changed === undefined || call.where !== 'server') return null
  return (
    <>
      <p className="[overflow-wrap:anywhere]">
        {changed.service} changed the definition of {changed.tool} after it was accepted. Approve to run this
        call and accept the new definition for every agent in this workspace. Decline to keep the old
        definition.
      </p>
      <DiffList changes={changed.changes} of={changed.tool} />
    </>
  )
}
