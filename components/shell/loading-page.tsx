import { Page } from '#components/workspace/page.tsx'

/** Shown in a page with this title until the server has rendered it. */
export const LoadingPage = ({ title }: { title: string }) => (
  <Page title={title}>
    <p role="status" className="text-muted">
      Loading…
    </p>
  </Page>
)
