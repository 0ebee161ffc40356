import { type ComponentPropsWithoutRef, forwardRef } from 'react'

type FileInputProps = Omit<ComponentPropsWithoutRef<'input'>, 'type' | 'onChange'> & {
  onFiles: (files: readonly File[]) => void
}

/**
 * Selects files from this device. It is empty again afterwards, so that the same file can be selected twice. React 18
 * needs `forwardRef`.
 */
export const FileInput = forwardRef<HTMLInputElement, FileInputProps>(({ onFiles, ...props }, ref) => (
  <input
    {...props}
    ref={ref}
    type="file"
    onChange={event => {
      onFiles([...(event.target.files ?? [])])
      event.target.value = ''
    }}
  />
))
