import { Page } from '#components/shell/page.tsx'

export default function Loading() {
  return (
    <Page title="Deliveries">
      <p role="status" className="text-muted">
        Looking…
      </p>
    </Page>
  )
}
