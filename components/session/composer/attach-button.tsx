'use client'
import { useRef } from 'react'
import { IconButton } from '#components/ui/button.tsx'
import { ClipIcon } from '#components/ui/icons.tsx'

/** Chooses files from this device. */
export function AttachButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={field}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        data-hook="attach-input"
        onChange={event => {
          onFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <IconButton data-hook="attach-files" label="Attach files" onClick={() => field.current?.click()}>
        <ClipIcon />
      </IconButton>
    </>
  )
}
