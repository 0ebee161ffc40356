import { Button } from '#components/ui/button.tsx'

/** The two ways out of a question about something that cannot be undone. */
export function Choice({ act, onAct, onKeep }: { act: string; onAct: () => void; onKeep: () => void }) {
  return (
    <div className="flex gap-2 pt-4">
      <Button data-hook="confirm" tone="danger" onClick={onAct}>
        {act}
      </Button>
      <Button data-hook="dismiss" onClick={onKeep}>
        Keep it
      </Button>
    </div>
  )
}
