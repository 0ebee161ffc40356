import { CopyButton } from '#components/ui/copy-button.tsx'
import { piecesOf } from '#components/ui/hidden-characters.ts'
import { ScrollBox } from '#components/ui/scroll-box.tsx'
import { VisibleText } from '#components/ui/visible-text.tsx'

/** Shows a script for review: complete, with wrapped lines and with its hidden characters visible. */
export function ScriptText({ script, label }: { script: string; label: string }) {
  const hidden = piecesOf(script).filter(piece => 'hidden' in piece).length
  return (
    <figure data-hook="script" className="min-w-0">
      <figcaption className="flex items-center justify-between text-ui text-muted">
        {label}
        <CopyButton text={script} />
      </figcaption>
      <ScrollBox label={label} className="max-h-96">
        <pre
          dir="ltr"
          className="p-2 font-mono text-mono whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:isolate]"
        >
          <code>
            <VisibleText text={script} />
          </code>
        </pre>
      </ScrollBox>
      {hidden === 0 ? null : (
        <p data-hook="hidden-characters" className="text-ui text-fail">
          {hidden === 1
            ? 'This script has 1 hidden character, shown as its code point.'
            : `This script has ${hidden} hidden characters, shown as their code points.`}
        </p>
      )}
    </figure>
  )
}
