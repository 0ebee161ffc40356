import { useId, useState } from 'react'
import { changeError } from '#components/browser/error-text.ts'
import { useAction } from '#components/browser/use-action.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { useKit } from '#components/session/store/use-kit.ts'
import { Checkbox } from '#components/ui/checkbox.tsx'

/** Adds the build kit to this session's agent or removes it (002-8). Only users who can edit agents can change it. */
export function KitSwitch() {
  const { store, me } = useSessionContext()
  const mayEdit = me.may?.edit === true
  const hint = useId()
  const on = useKit()
  const [fault, setFault] = useState('')
  // The event arrives after the response. Until then, the switch shows the requested state.
  const [wanted, setWanted] = useState<boolean>()
  if (wanted === on) setWanted(undefined)
  const checked = wanted ?? on
  const [change, busy] = useAction(async () => {
    setWanted(!checked)
    const reply = await store.layKit(!checked)
    if (!reply.ok) setWanted(undefined)
    setFault(reply.ok ? '' : changeError(reply))
  })
  return (
    <div>
      <Checkbox
        data-hook="build-kit"
        checked={checked}
        disabled={!mayEdit}
        aria-busy={busy || wanted !== undefined}
        aria-describedby={hint}
        onChange={() => void change()}
        className="w-fit items-center"
      >
        Build kit
      </Checkbox>
      <p id={hint} className="text-muted">
        Lets the agent find tools, request connections and propose changes to itself, in this session only.
        Each prompt grows by about 1,100 tokens. The build kit is never saved with the agent.
        {mayEdit ? ' A change applies from the next step.' : ' Ask an editor or owner to change it.'}
      </p>
      <p role="alert" data-hook="build-kit-error" className="text-fail empty:hidden">
        {fault}
      </p>
    </div>
  )
}
