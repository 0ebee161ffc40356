import type { ViewComponent } from '@waystation/protocol/plugin/plugin-view.ts'
import { ScrollBox } from '#components/ui/scroll-box.tsx'
import { listAt, numberAt, oneAt, textAt, wordsOf } from './attributes.ts'
import { routeOf, useView } from './view-context.ts'

type Props = { of: ViewComponent }

/** Each block `stat "id" { label, value }` is a value with a label. */
export const StatGroup = ({ of: { blocks } }: Props) => (
  <dl className="flex flex-wrap gap-x-8 gap-y-4">
    {blocks
      .filter(({ type }) => type === 'stat')
      .map(({ labels, attributes }) => (
        <div key={labels.join(' ')} className="flex flex-col-reverse">
          <dt className="text-muted">{textAt(attributes, 'label')}</dt>
          <dd className="text-title font-semibold tabular-nums">{textAt(attributes, 'value')}</dd>
        </div>
      ))}
  </dl>
)

/** Attributes: `columns`, `rows` (a list of values each) and `caption`. */
export function Table({ of: { name, attributes } }: Props) {
  const columns = listAt(attributes, 'columns').map(wordsOf)
  const rows = listAt(attributes, 'rows').map(row => (Array.isArray(row) ? row.map(wordsOf) : [wordsOf(row)]))
  const caption = textAt(attributes, 'caption')
  return (
    <ScrollBox label={caption || name}>
      <table className="w-full border-collapse text-left">
        {caption === '' ? null : <caption className="p-2 text-left text-muted">{caption}</caption>}
        <thead>
          <tr>
            {columns.map((column, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column has no ID
              <th key={at} scope="col" className="border-b px-2 py-1.5 font-semibold whitespace-nowrap">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no ID
            <tr key={line} className="border-b last:border-b-0">
              {columns.map((_, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell has no ID
                <td key={at} className="px-2 py-1.5 align-top tabular-nums">
                  {row[at] ?? ''}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

/** Attributes: `items`, and `ordered` for a numbered list. */
export function List({ of: { attributes } }: Props) {
  const items = listAt(attributes, 'items').map(wordsOf)
  const ordered = textAt(attributes, 'ordered') === 'true'
  const Tag = ordered ? 'ol' : 'ul'
  return (
    <Tag className={`max-w-[68ch] pl-5 [overflow-wrap:anywhere] ${ordered ? 'list-decimal' : 'list-disc'}`}>
      {items.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an item has no ID
        <li key={at}>{item}</li>
      ))}
    </Tag>
  )
}

/** Attributes: `value`, `max` (default: 100) and `label`. */
export function Progress({ of: { name, attributes } }: Props) {
  const label = textAt(attributes, 'label') || name
  const max = numberAt(attributes, 'max') ?? 100
  const value = Math.min(max, Math.max(0, numberAt(attributes, 'value') ?? 0))
  return (
    <div className="flex max-w-[480px] flex-col gap-1">
      <p className="flex justify-between gap-3">
        <span>{label}</span>
        <span className="text-muted tabular-nums">
          {value} of {max}
        </span>
      </p>
      <div className="h-2 rounded-sm border border-rail">
        <div
          role="progressbar"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={max}
          aria-valuenow={value}
          className="h-full bg-ink"
          style={{ width: `${max > 0 ? (value / max) * 100 : 0}%` }}
        />
      </div>
    </div>
  )
}

const size = { width: 480, height: 160 }

/**
 * Attributes: `values`, `labels`, `title` and `kind` (bar or line). A list below the chart gives the labels
 * and values, also to screen readers.
 */
export function Chart({ of: { name, attributes } }: Props) {
  const values = listAt(attributes, 'values').map(value => Number(value) || 0)
  const labels = listAt(attributes, 'labels').map(wordsOf)
  const title = textAt(attributes, 'title') || name
  const top = Math.max(1e-9, ...values)
  const [low, step] = [Math.min(0, ...values), size.width / Math.max(1, values.length)]
  const y = (value: number) => size.height - ((value - low) / (top - low || 1)) * size.height
  const isLine = oneAt(attributes, 'kind', ['bar', 'line']) === 'line'
  return (
    <figure className="flex max-w-[560px] flex-col gap-2">
      <figcaption className="font-semibold">{title}</figcaption>
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        aria-hidden="true"
        className="w-full border-b border-rail"
      >
        {isLine ? (
          <polyline
            points={values.map((value, at) => `${(at + 0.5) * step},${y(value)}`).join(' ')}
            fill="none"
            stroke="var(--color-ink)"
            strokeWidth="2"
          />
        ) : (
          values.map((value, at) => (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a bar has no ID
              key={at}
              x={at * step + step * 0.15}
              width={step * 0.7}
              y={Math.min(y(value), y(0))}
              height={Math.abs(y(0) - y(value))}
              fill="var(--color-ink)"
            />
          ))
        )}
      </svg>
      <ul
        className="grid text-center text-muted"
        style={{ gridTemplateColumns: `repeat(${Math.max(1, values.length)}, minmax(0, 1fr))` }}
      >
        {values.map((value, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a value has no ID
          <li key={at} className="min-w-0 truncate tabular-nums">
            <span className="block truncate">{labels[at] ?? ''}</span>
            <span className="text-ink">{value}</span>
          </li>
        ))}
      </ul>
    </figure>
  )
}

/**
 * Attributes: `src` (a route of the plugin) and `alt`. An external image is not loaded, because its server
 * would learn who views it.
 */
export function ViewImage({ of: { attributes } }: Props) {
  const view = useView()
  const src = routeOf(view, textAt(attributes, 'src'))
  const alt = textAt(attributes, 'alt')
  if (src === undefined) return <p className="text-muted">{alt || 'External image, not loaded.'}</p>
  // biome-ignore lint/performance/noImgElement: images of plugins are shown unchanged
  return <img src={src} alt={alt} className="max-w-full self-start rounded-sm border" />
}
