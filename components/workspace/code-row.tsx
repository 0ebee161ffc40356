'use client'
import { CopyButton } from '#components/ui/copy-button.tsx'

/** Code or a command, with a button that copies it. */
export const CodeRow = ({ code }: { code: string }) => (
  <div className="flex items-start gap-x-3 rounded-sm border bg-panel py-1 pr-2 pl-3 max-mid:flex-col-reverse">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll long lines */}
    <pre tabIndex={0} className="min-w-0 flex-1 overflow-x-auto max-mid:max-w-full py-1 font-mono text-mono">
      <code>{code}</code>
    </pre>
    <span className="max-mid:self-end mid:py-1">
      <CopyButton text={code} />
    </span>
  </div>
)
