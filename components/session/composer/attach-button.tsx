import { useRef } from 'react'
import { IconButton } from '#components/ui/button.tsx'
import { FileInput } from '#components/ui/file-input.tsx'
import { ClipIcon } from '#components/ui/icons.tsx'

/** Chooses files from this device. */
export function AttachButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <FileInput
        ref={field}
        multiple
        hidden
        aria-label="Files to attach"
        data-hook="attach-input"
        onFiles={onFiles}
      />
      <IconButton data-hook="attach-files" label="Attach files" onClick={() => field.current?.click()}>
        <ClipIcon />
      </IconButton>
    </>
  )
}
