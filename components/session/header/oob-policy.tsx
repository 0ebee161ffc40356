'use client'
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
import { Outcome } from '#components/ui/outcome.tsx'
import { RadioList } from '#components/ui/radio-list.tsx'
import { Select } from '#components/ui/select.tsx'

type Mode = OobPolicy['mode']

const modes: ReadonlyArray<{ value: Mode; label: string; hint: string }> = [
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
export function OobPolicyDialog({
  open,
  onOpenChange
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Out-of-band messages"
      description="Messages that reach the agent outside the conversation, from external systems, other agents and people."
    >
      <PolicyForm onClose={() => onOpenChange(false)} />
    </Dialog>
  )
}

function PolicyForm({ onClose }: { onClose: () => void }) {
  const { store, may, me } = useSessionContext()
  const saved = useSessionState(state => state.transcript.oobPolicy)
  const [draft, setDraft] = useState(saved)
  const [base, setBase] = useState(saved)
  const [said, setSaid] = useState<{ text: string; failed?: boolean }>({ text: '' })
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const changed = !isSame(draft, base)
  const edit = (change: Partial<OobPolicy>) => {
    setDraft({ ...draft, ...change })
    setSaid({ text: '' })
  }
  // Shows changes that other users save, unless this form has unsaved changes.
  useEffect(() => {
    setBase(saved)
    if (!changed) setDraft(saved)
  }, [saved, changed])
  // Focus the selected mode before the dialog focuses the first one.
  useEffect(() => form.current?.querySelector<HTMLElement>('input:checked:enabled')?.focus(), [])
  const [save, busy] = useAction(async () => {
    setSaid({ text: '' })
    const reply = await store.setOobPolicy(draft)
    if (!reply.ok) return setSaid({ text: changeError(reply), failed: true })
    setBase(reply.body)
    setDraft(reply.body)
    setSaid({ text: 'Saved.' })
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  return (
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
      <div className="flex flex-col gap-1">
        <label htmlFor={`${id}-priority`} className="font-semibold">
          Minimum priority
        </label>
        <Select
          id={`${id}-priority`}
          value={draft.minPriority}
          disabled={!may.answer}
          aria-describedby={`${id}-below`}
          onChange={minPriority => edit({ minPriority })}
          options={OobPriority.options}
          className="w-40"
        />
        <p id={`${id}-below`} data-hook="refused-priorities" className="text-muted">
          {draft.minPriority === 'low'
            ? 'Messages of every priority are accepted.'
            : `Messages below ${draft.minPriority} priority are rejected.`}
        </p>
      </div>
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
  )
}

/** Lists the muted sources. Without `onHear`, they cannot be unmuted. */
function Muted({
  muted,
  onHear
}: {
  muted: readonly MutedSource[]
  onHear: ((one: MutedSource) => void) | undefined
}) {
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
