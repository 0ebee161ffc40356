import { NotFound } from '#components/shell/not-found.tsx'

export default function NotFoundPage() {
  return (
    <NotFound title="Page not found">
      This page doesn't exist, was deleted, or belongs to a workspace that you're not a member of. Sessions
      are also deleted when their retention time ends.
    </NotFound>
  )
}
