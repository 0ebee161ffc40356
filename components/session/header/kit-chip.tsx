import { useState } from 'react'
import { KitSwitch } from '#components/session/content/kit-switch.tsx'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { useKit } from '#components/session/store/use-kit.ts'
import { useSpeaker } from '#components/session/store/use-speaker.ts'
import { Button } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { FullKitIcon, KitIcon } from '#components/ui/icons.tsx'

/**
 * Shows if the session's agent has the build kit (002-8). A click explains the kit, and editors can switch it there.
 * Renders nothing while another agent speaks, because the kit does not apply then.
 */
export function KitChip() {
  const { agent, me, can } = useSessionContext()
  const on = useKit()
  const speaker = useSpeaker()
  const [open, setOpen] = useState(false)
  if (agent.external || !can.members || speaker.isOther || !(on || me.may?.edit)) return null
  const label = `Build kit: ${on ? 'on' : 'off'}`
  return (
    <>
      <button
        type="button"
        data-hook="kit-chip"
        data-on={on || undefined}
        aria-haspopup="dialog"
        aria-label={label}
        title={label}
        onClick={() => setOpen(true)}
        className={`tap hidden mid:inline-flex h-[30px] min-w-[30px] shrink-0 items-center justify-center gap-1.5 rounded-sm px-[7px] hover:text-ink ${on ? 'text-ink' : 'text-muted'}`}
      >
        {on ? <FullKitIcon /> : <KitIcon />}
        <span className="hidden @min-[800px]:inline">{label}</span>
      </button>
      <Dialog open={open} onOpenChange={setOpen} title="Build kit">
        <KitSwitch />
        <div className="pt-2">
          <Button onClick={() => setOpen(false)}>Close</Button>
        </div>
      </Dialog>
    </>
  )
}
