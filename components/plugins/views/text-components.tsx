import type { ViewComponent } from '@waystation/protocol/plugin/plugin-view.ts'
import { clsx } from 'clsx'
import { Prose } from '#components/session/content/markdown.tsx'
import { Button } from '#components/ui/button.tsx'
import { ScrollBox } from '#components/ui/scroll-box.tsx'
import { Link } from '#components/workspace/link.tsx'
import { oneAt, textAt } from './attributes.ts'
import { useSend } from './use-send.ts'

type Props = { of: ViewComponent }

const styles = {
  body: '',
  heading: 'text-title font-semibold',
  muted: 'text-muted',
  code: 'font-mono text-mono'
}

/** Attributes: `content`, and `style` (body, heading, muted or code). */
export function Text({ of: { attributes } }: Props) {
  const style = oneAt(attributes, 'style', ['body', 'heading', 'muted', 'code'])
  const Tag = style === 'heading' ? 'h2' : 'p'
  return (
    <Tag className={clsx('max-w-[68ch] whitespace-pre-wrap [overflow-wrap:anywhere]', styles[style])}>
      {textAt(attributes, 'content')}
    </Tag>
  )
}

/** Attributes: `content`, as Markdown without HTML and images. Only links to the web work. */
export const Markdown = ({ of: { attributes } }: Props) => <Prose text={textAt(attributes, 'content')} />

/** Attributes: `content`, shown as preformatted text. */
export const Code = ({ of: { name, attributes } }: Props) => (
  <ScrollBox label={name} className="max-h-96">
    <pre className="p-3 font-mono text-mono">{textAt(attributes, 'content')}</pre>
  </ScrollBox>
)

const tones = {
  plain: 'border-rail',
  good: 'border-ink',
  warn: 'border-ink border-dashed',
  bad: 'border-fail text-fail'
}

/** Attributes: `label` or `content`, and `tone` (plain, good, warn or bad). */
export const Badge = ({ of: { attributes } }: Props) => (
  <span
    className={clsx(
      'inline-block self-start rounded-sm border px-1.5',
      tones[oneAt(attributes, 'tone', ['plain', 'good', 'warn', 'bad'])]
    )}
  >
    {textAt(attributes, 'label') || textAt(attributes, 'content')}
  </span>
)

/** Attributes: `title`, `content`, and `tone` (plain, good, warn or bad). */
export function Alert({ of: { attributes } }: Props) {
  const title = textAt(attributes, 'title')
  const tone = oneAt(attributes, 'tone', ['plain', 'good', 'warn', 'bad'])
  return (
    <div role={tone === 'bad' ? 'alert' : undefined} className={clsx('border-l-2 pl-4', tones[tone])}>
      {title === '' ? null : <p className="font-semibold">{title}</p>}
      <p className="max-w-[68ch] whitespace-pre-wrap text-ink [overflow-wrap:anywhere]">
        {textAt(attributes, 'content')}
      </p>
    </div>
  )
}

/**
 * Attributes: `label`, and `href`, which is a web URL or a page of this server. Any other link is shown as
 * text.
 */
export function ViewLink({ of: { attributes } }: Props) {
  const href = textAt(attributes, 'href')
  const label = textAt(attributes, 'label') || href
  if (/^https?:\/\//i.test(href))
    return (
      <a href={href} target="_blank" rel="noopener noreferrer" className="tap self-start">
        {label}
      </a>
    )
  if (/^\/(?![/\\]|api\/)/.test(href))
    return (
      <Link href={href} className="tap self-start">
        {label}
      </Link>
    )
  return <span className="text-muted">{label}</span>
}

/** Attributes: `label`, `action` (a route that the plugin declares) and `method` (default: POST). */
export function ViewButton({ of: { attributes } }: Props) {
  const { send, busy, said, allowed } = useSend(attributes)
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button onClick={() => void send()} disabled={busy || !allowed}>
        {textAt(attributes, 'label') || 'Go'}
      </Button>
      <p role="status" className={said.failed ? 'text-fail' : 'text-muted'}>
        {said.text}
      </p>
    </div>
  )
}
