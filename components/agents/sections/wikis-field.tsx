import { useWatch } from 'react-hook-form'
import { client } from '#components/browser/client.ts'
import { useRead } from '#components/browser/queries.tsx'
import { FormField } from '#components/forms/form-field.tsx'
import { names } from '#components/forms/text-format.ts'

/** The wikis of a tool. Names that the workspace does not have yet are listed, because they are often typing errors. */
export function WikisField({ name }: { name: string }) {
  const chosen = useWatch({ name }) as string[] | undefined
  const { data } = useRead({ queryKey: ['wikis'], queryFn: () => client.call('listWikis') })
  const known = data?.wikis.map(wiki => wiki.name)
  const unknown = known === undefined ? [] : (chosen ?? []).filter(wiki => !known.includes(wiki))
  return (
    <div className="flex flex-col gap-1">
      <FormField
        name={name}
        as={names}
        label="Wikis"
        hint="Names, separated by commas. Leave empty for all wikis of the workspace."
        mono
      />
      <p role="status" data-hook="unknown-wikis" className="[overflow-wrap:anywhere] empty:hidden">
        {unknown.length === 0 ? '' : `Not in this workspace: ${unknown.join(', ')}.`}
      </p>
    </div>
  )
}
