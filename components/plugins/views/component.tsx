import type { ViewComponent } from '@waystation/protocol/plugin/plugin-view.ts'
import { type ComponentType, useId } from 'react'
import { numberAt, textAt } from './attributes.ts'
import { ViewChat } from './chat.tsx'
import { Chart, List, Progress, StatGroup, Table, ViewImage } from './figures.tsx'
import { ViewForm } from './form.tsx'
import { Alert, Badge, Code, Markdown, Text, ViewButton, ViewLink } from './text-components.tsx'

type Props = { of: ViewComponent }

/**
 * The component types (003-12). The plugin API defines text, chat, form, section and stat-group. The others
 * are additions.
 */
const types: Record<string, ComponentType<Props>> = {
  text: Text,
  chat: ViewChat,
  form: ViewForm,
  section: Section,
  'stat-group': StatGroup,
  markdown: Markdown,
  code: Code,
  badge: Badge,
  alert: Alert,
  link: ViewLink,
  button: ViewButton,
  divider: () => <hr className="border-line" />,
  card: Card,
  grid: Grid,
  list: List,
  table: Table,
  progress: Progress,
  chart: Chart,
  image: ViewImage
}

/** Shows a component with its children. A component of an unknown type is shown as a labeled box. */
export function Component({ of }: Props) {
  const Known = Object.hasOwn(types, of.type) ? types[of.type] : undefined
  return Known === undefined ? <Unknown of={of} /> : <Known of={of} />
}

export const Children = ({ of }: { of: readonly ViewComponent[] }) =>
  of.map(child => <Component key={child.name} of={child} />)

function Unknown({ of: { name, type, children } }: Props) {
  return (
    <div data-hook="unknown-component" className="flex flex-col gap-3 border border-dashed border-rail p-3">
      <p className="text-muted [overflow-wrap:anywhere]">
        “{name}” has an unknown component type: <code className="font-mono text-mono">{type}</code>
      </p>
      <Children of={children} />
    </div>
  )
}

function Section({ of: { attributes, children } }: Props) {
  const id = useId()
  const title = textAt(attributes, 'title')
  return (
    <section aria-labelledby={title === '' ? undefined : id} className="flex flex-col gap-4">
      {title === '' ? null : (
        <h2 id={id} className="border-b pb-2 text-person font-semibold">
          {title}
        </h2>
      )}
      <Children of={children} />
    </section>
  )
}

function Card({ of: { attributes, children } }: Props) {
  const title = textAt(attributes, 'title')
  const content = textAt(attributes, 'content')
  return (
    <div className="flex min-w-0 flex-col gap-3 rounded-sm border bg-panel p-4">
      {title === '' ? null : <h3 className="text-person font-semibold">{title}</h3>}
      {content === '' ? null : <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{content}</p>}
      <Children of={children} />
    </div>
  )
}

/** Attributes: `columns`, the maximum number of columns (1 to 6, default: 2). */
function Grid({ of: { attributes, children } }: Props) {
  const columns = Math.min(6, Math.max(1, Math.round(numberAt(attributes, 'columns') ?? 2)))
  return (
    <div
      className="grid gap-4"
      style={{
        gridTemplateColumns: `repeat(auto-fill, minmax(min(100%, max(180px, ${Math.floor(96 / columns)}%)), 1fr))`
      }}
    >
      <Children of={children} />
    </div>
  )
}
