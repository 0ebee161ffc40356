import { Lost } from '#components/shell/lost.tsx'

export default function NotFound() {
  return (
    <main>
      <Lost title="Nothing stops here">
        This address leads nowhere. It may never have, or what was here is gone.
      </Lost>
    </main>
  )
}
