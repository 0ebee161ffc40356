import type { ComponentProps } from 'react'

type FileInputProps = Omit<ComponentProps<'input'>, 'type' | 'onChange'> & {
  onFiles: (files: readonly File[]) => void
}

/** Selects files from this device. It is empty again afterwards, so that the same file can be selected twice. */
export function FileInput({ onFiles, ...props }: FileInputProps) {
  return (
    <input
      {...props}
      type="file"
      onChange={event => {
        onFiles([...(event.target.files ?? [])])
        event.target.value = ''
      }}
    />
  )
}
