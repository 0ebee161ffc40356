import { canonicalJson } from '@waystation/protocol/canonical-json.ts'
import { builtInPolicy, ownPolicy } from '@waystation/protocol/out-of-band/effective-policy.ts'
import {
  type MutedSource,
  type OobPolicy,
  type OobPolicyOrigin,
  OobPriority,
  type OwnOobPolicy
} from '@waystation/protocol/out-of-band/out-of-band.ts'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { changeError } from '#components/browser/error-text.ts'
import { useAction } from '#components/browser/use-action.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { capitalized } from '#components/session/wording/describe-call.ts'
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
    hint: 'Messages are held for approval, except from people and critical ones from API keys.'
  },
  { value: 'off', label: 'Off', hint: 'All messages are rejected, and the sender gets an error.' }
]

/** Says where an inherited value comes from. */
const originWords: Record<OobPolicyOrigin, string> = {
  session: 'Set for this session.',
  agent: 'Set by the agent.',
  workspace: 'Set by the workspace.',
  default: 'Set neither by the agent nor by the workspace.'
}

/** The choice of the inherited value. */
const inherits = 'inherit'

/**
 * Shows which out-of-band messages a session accepts (004-14, 004-17). All users can see the policy. Only
 * approvers can change it.
 */
export function OobPolicyDialog({ onClose }: { onClose: () => void }) {
  const { store, may, me } = useSessionContext()
  const saved = useSessionState(state => state.transcript.oobPolicy)
  const own = ownPolicy(saved)
  const { inherited = builtInPolicy } = saved
  const [edited, setEdited] = useState<OwnOobPolicy>()
  // Without unsaved changes, the form shows what other users save.
  if (edited !== undefined && canonicalJson(edited) === canonicalJson(own)) setEdited(undefined)
  const changed = edited !== undefined
  const draft = edited ?? own
  const { mode, minPriority = inherited.minPriority, muted = inherited.muted } = draft
  const [said, setSaid] = useState<Said>({ text: '' })
  const form = useRef<HTMLFormElement>(null)
  const edit = (change: OwnOobPolicy) => {
    setEdited({ ...draft, ...change })
    setSaid({ text: '' })
  }
  // Focus the selected mode before the dialog focuses the first one.
  useEffect(() => form.current?.querySelector<HTMLElement>('input:checked:enabled')?.focus(), [])
  useEffect(() => void store.loadOobPolicy(), [store])
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
      title="Signals"
      description="Messages that reach the agent outside the conversation, from external systems, other agents and people."
    >
      <form ref={form} onSubmit={submit} className="mt-2 flex flex-col gap-4">
        {may.answer ? null : (
          <p data-hook="read-only">
            You can view this policy but not change it. {capitalized(me.approvers ?? 'an approver')} can.
          </p>
        )}
        <RadioList
          legend="Accept messages"
          value={mode ?? inherits}
          onChange={next => edit({ mode: next === inherits ? undefined : next })}
          options={[
            {
              value: inherits,
              label: `Default: ${modes.find(({ value }) => value === inherited.mode)?.label}`,
              hint: originWords[inherited.from.mode]
            },
            ...modes
          ]}
          disabled={!may.answer}
          className="flex flex-col"
          legendClassName="mb-1 font-semibold"
          itemClassName="items-baseline border-t py-2 last:border-b"
        />
        <Labeled
          label="Minimum priority"
          hint={
            <span data-hook="refused-priorities">
              {minPriority === 'low'
                ? 'Messages of every priority are accepted.'
                : `Messages below ${minPriority} priority are rejected.`}
            </span>
          }
        >
          {control => (
            <Select
              {...control}
              value={draft.minPriority ?? inherits}
              disabled={!may.answer}
              onChange={next => edit({ minPriority: next === inherits ? undefined : next })}
              options={[
                { value: inherits, label: `default: ${inherited.minPriority}` },
                ...OobPriority.options
              ]}
              className="w-40"
            />
          )}
        </Labeled>
        <Muted
          muted={muted}
          origin={draft.muted === undefined ? inherited.from.muted : 'session'}
          onHear={may.answer ? one => edit({ muted: muted.filter(other => other !== one) }) : undefined}
          onReset={
            may.answer && draft.muted !== undefined && inherited.muted.length > 0
              ? () => edit({ muted: undefined })
              : undefined
          }
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

type MutedProps = {
  muted: readonly MutedSource[]
  origin: OobPolicyOrigin
  /** Unmutes a source. Undefined: the user cannot change the list. */
  onHear: ((one: MutedSource) => void) | undefined
  /** Replaces the session's list by the inherited one. Undefined: the list is inherited already, or fixed. */
  onReset: (() => void) | undefined
}

/** Lists the muted sources. */
function Muted({ muted, origin, onHear, onReset }: MutedProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <p id={id} className="font-semibold">
        Muted
      </p>
      {muted.length > 0 && origin !== 'session' ? (
        <p className="text-muted" data-hook="muted-origin">
          {originWords[origin]}
        </p>
      ) : null}
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
      {onReset === undefined ? null : (
        <Button data-hook="reset-muted" tone="quiet" onClick={onReset} className="self-start">
          Use default list
        </Button>
      )}
    </div>
  )
}
