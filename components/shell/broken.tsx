'use client'
import { Button } from '#components/ui/button.tsx'
import { Lost } from './lost.tsx'

/** A page that failed. `digest` is what the server's log calls the error. */
export function Broken({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return (
    <Lost
      title="This page could not be shown"
      action={
        <Button tone="primary" onClick={retry}>
          Try again
        </Button>
      }
    >
      Something failed here, not in what you did. Sessions go on without this page, and nothing that waits is
      lost.
      {error.digest === undefined ? null : (
        <>
          {' '}
          The server’s log calls it <code className="font-mono text-mono">{error.digest}</code>.
        </>
      )}
    </Lost>
  )
}
