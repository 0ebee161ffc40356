import { Lost } from '#components/shell/lost.tsx'

export default function NotFound() {
  return (
    <Lost title="Nothing stops here">
      This address leads nowhere: it never did, it was deleted, or it belongs to a workspace that is not
      yours.
    </Lost>
  )
}
