import { CopyButton } from './copy-button.tsx'
import { ScrollBox } from './scroll-box.tsx'

/** Shows a value as JSON in a box. With `bare`, only screen readers get the label. Long lines scroll inside the box and never widen the page. */
export function Json({ value, label, bare }: { value: unknown; label: string; bare?: boolean }) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'undefined')
  return (
    <figure className="min-w-0">
      <figcaption className="flex items-center justify-between text-ui text-muted">
        {bare ? <span /> : label}
        <CopyButton text={text} />
      </figcaption>
      <ScrollBox label={label} className="max-h-72">
        <pre className={`p-2 font-mono text-mono ${typeof value === 'string' ? 'whitespace-pre-wrap' : ''}`}>
          {text}
        </pre>
      </ScrollBox>
    </figure>
  )
}
