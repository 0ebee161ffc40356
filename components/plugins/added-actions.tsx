import type { PluginReview } from '@waystation/protocol/plugin/added-plugin.ts'
import type { AddedPlugin, PluginDetails, PluginStatus } from '@waystation/protocol/plugin/plugin.ts'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError, readError } from '#components/browser/error-text.ts'
import { type Reply, replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { ConfirmButton } from '#components/ui/confirm-button.tsx'
import { Fault } from '#components/ui/fault.tsx'
import { Section } from '#components/ui/section.tsx'
import { ChangeAddress } from './change-address.tsx'
import { Review } from './plugin-review.tsx'
import { allows, changesOf } from './plugin-words.ts'

/** Says which capabilities of a plugin are not used until an owner accepts them. */
export function Withheld({ plugin: { withheld = [] } }: { plugin: PluginStatus }) {
  if (withheld.length === 0) return null
  const names = withheld.map(one => allows[one].name.toLowerCase()).join(', ')
  return (
    <p data-hook="withheld" className="max-w-[68ch] border-l-2 border-l-fail pl-4">
      The plugin now also declares: {names}. The server does not use this until an owner reads its manifest
      again and accepts the update.
    </p>
  )
}

type AddedActionsProps = {
  name: string
  added: AddedPlugin
  mayOwn: boolean
  onChanged: (plugin: PluginDetails) => void
}

/** The actions of owners for a plugin that was added by its address. */
export function AddedActions({ name, added, mayOwn, onChanged }: AddedActionsProps) {
  const router = useRouter()
  const [review, setReview] = useState<PluginReview>()
  const [fault, setFault] = useState('')
  const path = { plugin: name }
  const took = (reply: Reply<PluginDetails>) => {
    setFault(reply.ok ? '' : changeError(reply))
    if (reply.ok) onChanged(reply.body)
    return reply.ok
  }
  const [toggle, toggling] = useAction(async () =>
    took(await replyTo(client.call('changePlugin', { path, body: { disabled: !added.disabled } })))
  )
  const [read, reading] = useAction(async () => {
    const reply = await replyTo(client.call('inspectAddedPlugin', { path }))
    setReview(reply.ok ? reply.body : undefined)
    setFault(reply.ok ? '' : readError(reply))
  })
  const [accept, accepting] = useAction(async () => {
    const digest = review?.digest ?? ''
    if (took(await replyTo(client.call('acceptPlugin', { path, body: { digest } })))) setReview(undefined)
  })
  const remove = async () => {
    const reply = await replyTo(client.call('removePlugin', { path }))
    if (!reply.ok) return changeError(reply)
    router.push('/plugins')
  }
  const changes = review === undefined ? [] : changesOf(added, review)
  return (
    <Section title="Management">
      <p className="text-muted [overflow-wrap:anywhere]">
        Added by {added.addedBy}.{added.disabled ? ' It is disabled.' : ''}
        {mayOwn ? '' : ' Only owners can change or remove it.'}
      </p>
      {mayOwn ? (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => void toggle()} disabled={toggling} data-hook="toggle-plugin">
            {added.disabled ? 'Enable plugin' : 'Disable plugin'}
          </Button>
          <Button onClick={() => void read()} disabled={reading} data-hook="read-manifest">
            {reading ? 'Reading…' : 'Read manifest again'}
          </Button>
          <ChangeAddress key={added.source} name={name} added={added} onChanged={onChanged} />
          <ConfirmButton
            data-hook="remove-plugin"
            title={`Remove ${name}?`}
            description="Agents lose its tools, models, hooks and views. Its saved settings are deleted."
            act="Remove plugin"
            onAct={remove}
          >
            Remove plugin…
          </ConfirmButton>
        </div>
      ) : null}
      <Fault>{fault}</Fault>
      <div role="status" data-hook="manifest-changes" className="flex flex-col gap-2 empty:hidden">
        {review === undefined ? null : changes.length === 0 ? (
          <p>The manifest is the one that you accepted.</p>
        ) : (
          <ul className="list-disc pl-5">
            {changes.map(change => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        )}
      </div>
      {review === undefined || changes.length === 0 ? null : (
        <div className="flex flex-col gap-4 border-l-2 border-l-rail pl-4">
          <Review review={review} of=" of the update" />
          <div className="flex gap-2">
            <Button
              tone="primary"
              onClick={() => void accept()}
              disabled={accepting}
              data-hook="accept-plugin"
            >
              Accept update
            </Button>
            <Button onClick={() => setReview(undefined)}>Cancel</Button>
          </div>
        </div>
      )}
    </Section>
  )
}
