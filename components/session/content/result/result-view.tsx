import { clsx } from 'clsx'
import { useState } from 'react'
import { Prose } from '#components/session/content/markdown.tsx'
import { SafeLink } from '#components/session/content/safe-link.tsx'
import { Button } from '#components/ui/button.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { ScrollBox } from '#components/ui/scroll-box.tsx'
import { ResultTable } from './result-table.tsx'
import { cellText, isTable, shapeOf } from './shape-of.ts'

/** Shows the arguments or the result of a call by their shape. A button shows the JSON. */
export function ResultView({ label, value }: { label: string; value: unknown }) {
  const [json, setJson] = useState(false)
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'undefined')
  return (
    <figure data-hook="result" className="min-w-0">
      <figcaption className="flex items-center gap-4 text-ui text-muted">
        <span className="flex-1">{label}</span>
        <Button tone="quiet" data-hook="result-json" aria-pressed={json} onClick={() => setJson(!json)}>
          JSON
        </Button>
        <CopyButton text={text} />
      </figcaption>
      {json ? (
        <ScrollBox label="Result" className="max-h-72">
          <pre className="p-2 font-mono text-mono">{text}</pre>
        </ScrollBox>
      ) : (
        <Shown value={value} />
      )}
    </figure>
  )
}

function Shown({ value }: { value: unknown }) {
  const shape = shapeOf(value)
  switch (shape.kind) {
    case 'table':
      return <ResultTable {...shape} />
    case 'fields':
      return shape.fields.length === 0 ? <Text text="No fields." /> : <Fields fields={shape.fields} />
    case 'list':
      return <Text text={shape.items.map(cellText).join('\n') || 'An empty list.'} />
    case 'page':
      return (
        <ScrollBox label="Result" className="max-h-72">
          <p className="flex flex-wrap gap-x-3 border-b px-3 py-1.5 [overflow-wrap:anywhere]">
            {shape.url === undefined ? null : (
              <SafeLink url={shape.url} className="min-w-0 font-semibold no-underline hover:underline">
                {shape.title ?? shape.url}
              </SafeLink>
            )}
            <span className="text-muted tabular-nums">{shape.facts}</span>
          </p>
          <div className="px-3 py-2">
            {shape.markdown ? (
              <Prose text={shape.text} />
            ) : (
              <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{shape.text || 'An empty page.'}</p>
            )}
          </div>
        </ScrollBox>
      )
    case 'text':
      return <Text text={shape.text || 'An empty text.'} />
  }
}

const Text = ({ text }: { text: string }) => (
  <ScrollBox label="Result" className="max-h-72">
    <p className="px-3 py-2 whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
  </ScrollBox>
)

/** The fields of an object. A list of objects in a field is a table. */
function Fields({ fields }: { fields: readonly (readonly [name: string, value: unknown])[] }) {
  return (
    <dl className="divide-y divide-line rounded-sm border">
      {fields.map(([name, value]) => (
        <div
          key={name}
          className={clsx(
            'px-3 py-1.5',
            !isTable(value) && 'gap-4 mid:grid mid:grid-cols-[minmax(96px,1fr)_minmax(0,3fr)]'
          )}
        >
          <dt className="text-muted [overflow-wrap:anywhere]">{name}</dt>
          <dd className="min-w-0">
            {isTable(value) ? (
              <Shown value={value} />
            ) : (
              <div
                className={clsx(
                  'max-h-72 overflow-y-auto whitespace-pre-wrap [overflow-wrap:anywhere]',
                  typeof value === 'object' && value !== null && 'font-mono text-mono'
                )}
              >
                {cellText(value) || '–'}
              </div>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
