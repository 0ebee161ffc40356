import { Lost } from '#components/shell/lost.tsx'

export default function NotFound() {
  return (
    <Lost title="Nothing stops here">
      This address leads nowhere: it never did, it was deleted, it is older than its workspace keeps sessions,
      or it belongs to a workspace that is not yours.
    </Lost>
  )
}
