import { Page } from '#components/workspace/page.tsx'

/** What stands in a page of this title until the server has it. */
export const LoadingPage = ({ title }: { title: string }) => (
  <Page title={title}>
    <p role="status" className="text-muted">
      Loading…
    </p>
  </Page>
)
