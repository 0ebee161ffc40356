import type { AddedPlugin, PluginDetails } from '@waystation/protocol/plugin/plugin.ts'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { replyTo } from '#components/browser/reply.ts'
import { SchemaForm } from '#components/forms/schema-form.tsx'
import { useSchemaForm } from '#components/forms/use-schema-form.ts'
import { Button } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { Fault } from '#components/ui/fault.tsx'
import { type Address, AddressFields, atOf } from './address-fields.tsx'

type ChangeAddressProps = { name: string; added: AddedPlugin; onChanged: (plugin: PluginDetails) => void }

/** A dialog that changes the address of an added plugin, and its certificate. */
export function ChangeAddress({ name, added, onChanged }: ChangeAddressProps) {
  const [open, setOpen] = useState(false)
  const [said, setSaid] = useState('')
  const of = useSchemaForm<Address, ReturnType<typeof atOf>>({
    saved: { source: added.source, pin: added.pin ?? '', ca: '' },
    inputOf: atOf,
    check: () => ({})
  })
  const save = async (values: Address) => {
    const { source, pin = null, ca } = atOf(values)
    // Without TLS, there is no certificate. Otherwise, an empty field leaves the certificate authority as it is.
    const authority = source.startsWith('remote://') ? { ca: null } : ca === undefined ? {} : { ca }
    const body = { source, pin, ...authority }
    const reply = await replyTo(client.call('changePlugin', { path: { plugin: name }, body }))
    if (!reply.ok) return setSaid(of.showErrors(reply))
    onChanged(reply.body)
    setOpen(false)
  }
  return (
    <>
      <Button onClick={() => setOpen(true)} data-hook="change-address">
        Change address…
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={`Change the address of ${name}`}
        description="The plugin at the new address needs the same name. New capabilities wait until you accept them."
      >
        <SchemaForm of={of} onSubmit={save} className="flex flex-col gap-4 pt-2">
          <AddressFields />
          <Fault>{said}</Fault>
          <div className="flex gap-2">
            <Button type="submit" tone="primary" disabled={of.form.formState.isSubmitting} data-hook="save">
              Change address
            </Button>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
          </div>
        </SchemaForm>
      </Dialog>
    </>
  )
}
