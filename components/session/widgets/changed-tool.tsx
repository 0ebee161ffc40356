import { ChangeList } from '#components/session/change-list.tsx'
import type { Call } from '#lib/protocol/call.ts'
import { ToolChanged } from '#lib/protocol/mcp.ts'

/** Says of a call that its tool is not what was accepted, and what is different (001-19); of others nothing. */
export function ChangedTool({ call }: { call: Call }) {
  const { data: changed } = ToolChanged.safeParse(call.render)
  if (changed === undefined || call.where !== 'server') return null
  return (
    <>
      <p className="[overflow-wrap:anywhere]">
        {changed.service} has changed what its tool {changed.tool} says of itself since it was accepted. The
        agent knows it as it was. Approve, and the new words are accepted for every agent of this workspace,
        and this call runs; decline, and the old ones stay.
      </p>
      <ChangeList changes={changed.changes} of={changed.tool} />
    </>
  )
}
