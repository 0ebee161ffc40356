'use client'
import { Broken } from '#components/shell/broken.tsx'
import './globals.css'

export default function GlobalError(props: { error: Error & { digest?: string }; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <Broken {...props} />
      </body>
    </html>
  )
}
