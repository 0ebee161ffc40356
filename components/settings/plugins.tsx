import type { PluginSettings } from '@waystation/protocol/plugin/plugin-settings.ts'
import { Section } from '#components/ui/section.tsx'
import { Link } from '#components/workspace/link.tsx'

/** Lists the plugins that have settings. Each plugin's page has the form for them. */
export function Plugins({ plugins }: { plugins: readonly PluginSettings[] }) {
  const asking = plugins.filter(({ schema }) => schema.length > 0)
  if (asking.length === 0) return null
  return (
    <Section title="Plugins">
      <p className="max-w-[68ch]">These plugins have their own settings:</p>
      <ul className="flex flex-wrap gap-x-6 gap-y-1">
        {asking.map(({ name }) => (
          <li key={name}>
            <Link href={`/plugins/${encodeURIComponent(name)}`} className="tap inline-flex items-center">
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}
