import { Button } from '#components/ui/button.tsx'
import { NotFound } from './not-found.tsx'

/** The page for an unexpected error. `digest` is the error's ID in the server log. */
export function Broken({ error, retry }: { error: Error & { digest?: string }; retry: () => void }) {
  return (
    <NotFound
      title="This page couldn't be loaded"
      action={
        <Button tone="primary" onClick={retry}>
          Try again
        </Button>
      }
    >
      An error occurred in Waystation. Your sessions and pending requests aren't affected.
      {error.digest === undefined ? null : (
        <>
          {' '}
          The error's ID in the server log is <code className="font-mono text-mono">{error.digest}</code>.
        </>
      )}
    </NotFound>
  )
}
