import { NotFound } from '#components/shell/not-found.tsx'

export default function NotFoundPage() {
  return <NotFound title="Page not found">This page doesn't exist or was deleted.</NotFound>
}
