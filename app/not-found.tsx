import { Lost } from '#components/shell/not-found.tsx'

export default function NotFound() {
  return (
    <main>
      <Lost title="Page not found">This page doesn't exist or was deleted.</Lost>
    </main>
  )
}
