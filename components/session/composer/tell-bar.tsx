import type { OobPriority } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { Quote } from '#components/session/content/quote.tsx'
import type { Telling } from '#components/session/store/outbox.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { useSpeaker } from '#components/session/store/use-speaker.ts'
import { actionWords, dueIn, dueWords } from '#components/session/wording/out-of-band-words.ts'
import { Button } from '#components/ui/button.tsx'
import { Select } from '#components/ui/select.tsx'

type TellBarProps = { tell: Telling; onChange: (change: Partial<Telling>) => void; onClose: () => void }

/** Most urgent first. */
const priorities = Object.keys(dueWords) as OobPriority[]
const actions = Object.entries(actionWords).map(([value, label]) => ({
  value: value as keyof typeof actionWords,
  label
}))

/** Says that the draft becomes an out-of-band message, and chooses its priority and action (004-2). */
export function TellBar({ tell, onChange, onClose }: TellBarProps) {
  const { may } = useSessionContext()
  const status = useSessionState(state => state.transcript.status)
  const { external } = useSpeaker()
  const { priority, action = 'inform', relatedTo } = tell
  return (
    <fieldset
      data-hook="tell-bar"
      aria-label="Signal"
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
      className="pb-2"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-semibold">Signal</span>
        <Select
          aria-label="Priority"
          value={priority}
          onChange={priority => onChange({ priority })}
          // End users need the scope `answer` for the highest priority.
          options={may.answer ? priorities : priorities.filter(one => one !== 'critical')}
        />
        <Select
          aria-label="Action"
          value={action}
          onChange={action => onChange({ action })}
          options={actions}
        />
        <Button data-hook="cancel-tell" tone="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
      <p role="status" className="mt-1 text-muted">
        The agent receives it {dueIn({ priority, metadata: { action } }, status, external).toLowerCase()}.
      </p>
      {relatedTo === undefined ? null : (
        <Quote
          data-hook="tell-relates-to"
          label={action === 'redirect' ? 'Replaces' : 'About'}
          of={relatedTo}
        />
      )}
    </fieldset>
  )
}
