'use client'
import type { PluginSettings } from '@waystation/protocol/plugin/plugin-settings.ts'
import { Empty } from '#components/ui/empty.tsx'
import { Link } from '#components/workspace/link.tsx'
import { Row, Rows } from '#components/workspace/rows.tsx'
import { SettingSection } from './setting-section.tsx'

/** Lists the plugins that have settings. Each plugin's page has the form for them. */
export function Plugins({ plugins }: { plugins: readonly PluginSettings[] }) {
  const asking = plugins.filter(({ schema }) => schema.length > 0)
  return (
    <SettingSection
      title="Plugins"
      intro={
        <>
          The settings of each plugin are on its page.{' '}
          <Link href="/plugins" className="reach underline">
            Add or remove plugins
          </Link>
        </>
      }
    >
      {asking.length === 0 ? (
        <Empty title="No plugin has settings" />
      ) : (
        <Rows>
          {asking.map(({ name, schema }) => (
            <Row
              key={name}
              name={name}
              href={`/plugins/${encodeURIComponent(name)}`}
              actions={
                <span className="text-muted">
                  {schema.length === 1 ? '1 setting' : `${schema.length} settings`}
                </span>
              }
            />
          ))}
        </Rows>
      )}
    </SettingSection>
  )
}
