import type { Call } from '@waystation/protocol/call/call.ts'
import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { useRevision } from '#components/session/store/use-revision.ts'

/** Warns that another revision was published after the proposal, so it can no longer be published. */
export function Stale({ call }: { call: Call }) {
  const { revision, pinned } = useRevision()
  const { base_revision_id: base } = isJsonObject(call.input) ? call.input : {}
  const began = typeof base === 'string' ? Number(base.split('@').at(-1)) : Number.NaN
  if (pinned || revision === undefined || !(began < revision)) return null
  return (
    <p role="status" data-hook="stale-proposal" className="font-semibold">
      Revision {revision} was published after this proposal was made, so it can't be published. After you
      answer, the agent can make a new one.
    </p>
  )
}
