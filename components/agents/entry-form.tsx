import {
  type CatalogueEntry,
  CreateCatalogueEntry,
  UpdateCatalogueEntry
} from '@waystation/protocol/agent/catalogue.ts'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { replyTo } from '#components/browser/reply.ts'
import { checkValues } from '#components/forms/check-values.ts'
import { SchemaForm } from '#components/forms/schema-form.tsx'
import { useSchemaForm } from '#components/forms/use-schema-form.ts'
import type { Said } from '#components/ui/outcome.tsx'
import { SaveLine } from '#components/ui/save-line.tsx'
import { EntryFields } from './entry-fields.tsx'
import { type EntryValues, entryOf, slugOf, valuesOf } from './entry-values.ts'

/** The form of a new entry of the catalog, or of the next version of `entry`. */
export function EntryForm({ entry }: { entry?: CatalogueEntry }) {
  const router = useRouter()
  const [base, setBase] = useState(entry?.version)
  const isNew = base === undefined
  const inputOf = (values: EntryValues) => (isNew ? entryOf(values) : { ...entryOf(values), base })
  const of = useSchemaForm<EntryValues, { slug: string }>({
    saved: valuesOf(entry),
    inputOf,
    check: input => checkValues(isNew ? CreateCatalogueEntry : UpdateCatalogueEntry, input)
  })
  const [said, setSaid] = useState<Said>({ text: '' })
  const save = async (values: EntryValues) => {
    const body = inputOf(values)
    const { slug } = body
    const reply = await replyTo(
      isNew
        ? client.catalogue.create(body as CreateCatalogueEntry)
        : client.catalogue.update(slug, body as UpdateCatalogueEntry)
    )
    if (!reply.ok) return setSaid({ text: of.showErrors(reply), failed: true })
    if (isNew) return router.push(`/catalogue/${slug}`)
    const saved = reply.body
    setBase(saved.version)
    of.reset(valuesOf(saved))
    setSaid({ text: `Saved as ${saved.version}.` })
    router.refresh()
  }
  return (
    <SchemaForm of={of} onSubmit={save} data-hook="entry-form" className="flex max-w-[640px] flex-col gap-4">
      <EntryFields
        isNew={isNew}
        kind={of.values.kind}
        tool={of.values.data.parameters.tool}
        slug={slugOf(of.values.name)}
      />
      <div className={isNew ? 'sticky bottom-0 z-10 -mb-6 border-t bg-ground py-3' : 'pt-2'}>
        <SaveLine
          act={isNew ? 'Create entry' : 'Save version'}
          disabled={of.form.formState.isSubmitting || !(isNew || of.isChanged || entry?.archived)}
          said={of.isChanged && !said.failed ? { text: '' } : said}
        />
      </div>
    </SchemaForm>
  )
}
