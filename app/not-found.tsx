import { NotFound } from '#components/shell/not-found.tsx'

export default function NotFoundPage() {
  return (
    <main>
      <NotFound title="Page not found">This page doesn't exist or was deleted.</NotFound>
    </main>
  )
}
