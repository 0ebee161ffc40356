'use client'
import type { ComponentProps } from 'react'
import { Broken } from '#components/shell/broken.tsx'

export default function RootError(props: ComponentProps<typeof Broken>) {
  return (
    <main>
      <Broken {...props} />
    </main>
  )
}
