import { Button } from '#components/ui/button.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'

/** Shows a new secret, which the server never returns again. */
export function ShownOnce({
  what = 'key',
  secret,
  close
}: {
  what?: string
  secret: string
  close: () => void
}) {
  return (
    <div role="status" className="flex flex-col gap-2 border-l-2 border-l-ink pl-4">
      <p className="font-semibold">Copy this {what} now. It won't be shown again.</p>
      <code data-hook="secret" className="font-mono text-mono [overflow-wrap:anywhere] select-all">
        {secret}
      </code>
      <p className="flex items-center gap-2">
        <CopyButton text={secret} label={`Copy ${what}`} />
        <Button tone="quiet" onClick={close}>
          Hide {what}
        </Button>
      </p>
    </div>
  )
}
