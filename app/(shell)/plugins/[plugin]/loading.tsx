import { LoadingPage } from '#components/shell/loading-page.tsx'

export default function Loading() {
  return <LoadingPage title="Plugins" />
}
