import {
  type MutedSource,
  type OobPolicy,
  OobPriority
} from '@waystation/protocol/out-of-band/out-of-band.ts'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { changeError } from '#components/browser/error-text.ts'
import { useAction } from '#components/browser/use-action.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { mutedWords } from '#components/session/wording/out-of-band-words.ts'
import { Button } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { Labeled } from '#components/ui/field.tsx'
import { Outcome, type Said } from '#components/ui/outcome.tsx'
import { RadioList } from '#components/ui/radio-list.tsx'
import { Select } from '#components/ui/select.tsx'

const modes: ReadonlyArray<{ value: OobPolicy['mode']; label: string; hint: string }> = [
  { value: 'on', label: 'On', hint: 'Messages reach the agent without approval.' },
  {
    value: 'approve',
    label: 'Ask first',
    hint: 'Messages are held for approval. Critical messages and messages from people are always delivered.'
  },
  { value: 'off', label: 'Off', hint: 'All messages are rejected, and the sender gets an error.' }
]

/** Returns a short summary of an out-of-band policy, or undefined for the default policy. */
export const policyHint = ({ mode, minPriority, muted }: OobPolicy): string | undefined => {
  if (mode !== 'on') return mode === 'off' ? 'off' : 'asks first'
  if (muted.length > 0) return `${muted.length} muted`
  return minPriority === 'low' ? undefined : `${minPriority} and up`
}

/**
 * Shows which out-of-band messages a session accepts (004-14, 004-17). All users can see the policy. Only
 * approvers can change it.
 */
export function OobPolicyDialog({ onClose }: { onClose: () => void }) {
  const { store, may, me } = useSessionContext()
  const saved = useSessionState(state => state.transcript.oobPolicy)
  const [edited, setEdited] = useState<OobPolicy>()
  // Without unsaved changes, the form shows what other users save.
  if (edited !== undefined && isSame(edited, saved)) setEdited(undefined)
  const changed = edited !== undefined
  const draft = edited ?? saved
  const [said, setSaid] = useState<Said>({ text: '' })
  const form = useRef<HTMLFormElement>(null)
  const edit = (change: Partial<OobPolicy>) => {
    setEdited({ ...draft, ...change })
    setSaid({ text: '' })
  }
  // Focus the selected mode before the dialog focuses the first one.
  useEffect(() => form.current?.querySelector<HTMLElement>('input:checked:enabled')?.focus(), [])
  const [save, busy] = useAction(async () => {
    setSaid({ text: '' })
    const reply = await store.setOobPolicy(draft)
    if (!reply.ok) return setSaid({ text: changeError(reply), failed: true })
    setEdited(undefined)
    setSaid({ text: 'Saved.' })
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Out-of-band messages"
      description="Messages that reach the agent outside the conversation, from external systems, other agents and people."
    >
      <form ref={form} onSubmit={submit} className="mt-2 flex flex-col gap-4">
        {may.answer ? null : (
          <p data-hook="read-only">
            You can view this policy but not change it. {capital(me.approvers ?? 'an approver')} can.
          </p>
        )}
        <RadioList
          legend="Accept messages"
          value={draft.mode}
          onChange={mode => edit({ mode })}
          options={modes}
          disabled={!may.answer}
          className="flex flex-col"
          legendClassName="mb-1 font-semibold"
          itemClassName="items-baseline border-t py-2 last:border-b"
        />
        <Labeled
          label="Minimum priority"
          hint={
            <span data-hook="refused-priorities">
              {draft.minPriority === 'low'
                ? 'Messages of every priority are accepted.'
                : `Messages below ${draft.minPriority} priority are rejected.`}
            </span>
          }
        >
          {control => (
            <Select
              {...control}
              value={draft.minPriority}
              disabled={!may.answer}
              onChange={minPriority => edit({ minPriority })}
              options={OobPriority.options}
              className="w-40"
            />
          )}
        </Labeled>
        <Muted
          muted={draft.muted}
          onHear={may.answer ? one => edit({ muted: draft.muted.filter(other => other !== one) }) : undefined}
        />
        <div className="flex flex-wrap items-center gap-2">
          {may.answer ? (
            <Button data-hook="save" type="submit" tone="primary" disabled={busy || !changed}>
              Save policy
            </Button>
          ) : null}
          <Button onClick={onClose}>{changed ? 'Cancel' : 'Close'}</Button>
          <Outcome said={said} />
        </div>
      </form>
    </Dialog>
  )
}

type MutedProps = { muted: readonly MutedSource[]; onHear: ((one: MutedSource) => void) | undefined }

/** Lists the muted sources. Without `onHear`, they cannot be unmuted. */
function Muted({ muted, onHear }: MutedProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <p id={id} className="font-semibold">
        Muted
      </p>
      {muted.length === 0 ? (
        <p className="text-muted">No muted sources. To mute one, select “Mute source” on its message.</p>
      ) : (
        <ul aria-labelledby={id} data-hook="muted-sources">
          {muted.map(one => (
            <li
              key={`${one.source} ${one.sourceId ?? ''}`}
              className="flex min-h-9 items-center gap-3 border-t last:border-b"
            >
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{mutedWords(one)}</span>
              {onHear === undefined ? null : (
                <Button
                  data-hook="unmute-source"
                  tone="quiet"
                  onClick={() => onHear(one)}
                  aria-label={`Unmute source: ${mutedWords(one)}`}
                >
                  Unmute source
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const isSame = (a: OobPolicy, b: OobPolicy) =>
  a.mode === b.mode && a.minPriority === b.minPriority && JSON.stringify(a.muted) === JSON.stringify(b.muted)

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
