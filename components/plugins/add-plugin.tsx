'use client'
import type { PluginReview } from '@waystation/protocol/plugin/added-plugin.ts'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { replyTo } from '#components/browser/reply.ts'
import { SchemaForm } from '#components/forms/schema-form.tsx'
import { useSchemaForm } from '#components/forms/use-schema-form.ts'
import { Button } from '#components/ui/button.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { AddReviewed } from './add-reviewed.tsx'
import { type Address, AddressFields, atOf } from './address-fields.tsx'

const empty: Address = { source: '', pin: '', ca: '' }

/** Adds a plugin: an owner enters its address, reviews what it provides, and accepts it. */
export function AddPlugin() {
  const { me } = useWorkspace()
  const of = useSchemaForm<Address, ReturnType<typeof atOf>>({
    saved: empty,
    inputOf: atOf,
    check: () => ({})
  })
  const [read, setRead] = useState<{ at: string; review: PluginReview }>()
  const [said, setSaid] = useState('')
  const at = JSON.stringify(atOf(of.values))
  const inspect = async (settings: Record<string, string> = {}) => {
    const reply = await replyTo(
      client.call('inspectPlugin', { body: { ...atOf(of.form.getValues()), settings } })
    )
    setSaid(reply.ok ? '' : of.showErrors(reply))
    setRead(reply.ok ? { at, review: reply.body } : undefined)
  }
  if (!me.mayOwn)
    return <p className="text-muted">You can view plugins but not add them. Ask an owner for changes.</p>
  const busy = of.form.formState.isSubmitting
  // A review belongs to one address.
  const review = read?.at === at ? read.review : undefined
  return (
    <div className="flex flex-col gap-8">
      <SchemaForm
        of={of}
        onSubmit={() => inspect()}
        data-hook="plugin-address"
        className="flex max-w-[560px] flex-col gap-4"
      >
        <p className="max-w-[68ch]">
          A plugin is a program on another server. Enter its address to see what it adds before you accept it.
        </p>
        <AddressFields />
        <div className="flex flex-wrap items-center gap-3">
          <Button
            type="submit"
            tone={review === undefined ? 'primary' : 'plain'}
            disabled={busy}
            data-hook="read-manifest"
          >
            {busy ? 'Checking…' : 'Check plugin'}
          </Button>
          <p role="status" className="text-fail">
            {said}
          </p>
        </div>
      </SchemaForm>
      {review === undefined ? null : (
        <AddReviewed key={review.name} at={atOf(of.values)} review={review} readAgain={inspect} />
      )}
    </div>
  )
}
