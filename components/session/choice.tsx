import { Button } from '#components/ui/button.tsx'

/** The two ways out of a question about something that cannot be undone. */
export function Choice({ act, onAct, onKeep }: { act: string; onAct: () => void; onKeep: () => void }) {
  return (
    <div className="flex gap-2 pt-4">
      <Button tone="danger" onClick={onAct} data-hook="confirm">
        {act}
      </Button>
      <Button onClick={onKeep} data-hook="cancel">
        Keep it
      </Button>
    </div>
  )
}
