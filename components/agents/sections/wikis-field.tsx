import { client } from '#components/browser/client.ts'
import { useRead } from '#components/browser/queries.tsx'
import { FormPicks } from '#components/forms/form-picks.tsx'

/** The wikis of a tool. */
export function WikisField({ name }: { name: string }) {
  const { data } = useRead({ queryKey: ['wikis'], queryFn: () => client.call('listWikis') })
  return (
    <FormPicks
      name={name}
      label="Wikis"
      options={data?.wikis.map(({ name }) => ({ value: name, label: name }))}
      note="No wikis yet."
      placeholder="All wikis"
      unknown="is not in this workspace"
    />
  )
}
