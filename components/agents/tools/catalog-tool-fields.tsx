import { client } from '#components/browser/client.ts'
import { useRead } from '#components/browser/queries.tsx'
import { PickOrType } from '#components/forms/pick-or-type.tsx'
import { json, optional } from '#components/forms/text-format.ts'
import { ValueField } from '#components/forms/value-field.tsx'
import { fieldsOf, type ToolFieldsProps } from './tool-fields.ts'

/** The fields for a tool of the catalog (docs/embeds.md). A reference to an agent or to a part is JSON. */
export function CatalogToolFields(props: ToolFieldsProps) {
  const field = fieldsOf(props)
  const embed = field<object>('@ag.embed')
  const { data } = useRead({ queryKey: ['catalog'], queryFn: () => client.call('listCatalogue') })
  const entries = (data?.entries ?? []).filter(({ kind, archived }) => kind === 'tool' && !archived)
  const slug = plainSlug(embed.value)
  return (
    <>
      {slug === undefined ? (
        <ValueField
          {...embed}
          onChange={value => embed.onChange(value as object)}
          as={json}
          label="Reference"
          rows={4}
          mono
        />
      ) : (
        <PickOrType
          label="Entry"
          hint="Agents use its newest version. To use another one, edit as JSON."
          fault={embed.fault}
          value={slug}
          onChange={slug => embed.onChange({ '@ag.references': { workflow: { slug } } })}
          options={entries.map(({ slug, name }) => ({
            value: slug,
            label: slug === name ? slug : `${name} (${slug})`
          }))}
          note="No tools in the catalog yet."
        />
      )}
      <ValueField
        {...field('name')}
        as={optional}
        label="Another name"
        placeholder="the name of the entry"
        mono
      />
    </>
  )
}

/** Returns the slug of a reference that has nothing else. */
function plainSlug(embed: unknown): string | undefined {
  const { '@ag.references': references, ...more } = embed as { '@ag.references'?: Record<string, unknown> }
  const { workflow, ...others } = references ?? {}
  const { slug, ...rest } = (workflow ?? {}) as { slug?: unknown }
  const isPlain = [more, others, rest].every(part => Object.keys(part).length === 0)
  return isPlain && typeof slug === 'string' ? slug : undefined
}
