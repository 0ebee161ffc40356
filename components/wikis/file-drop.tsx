import { type ReactNode, useId, useState } from 'react'
import { FileInput } from '#components/ui/file-input.tsx'
import { wikiFiles } from './import-file.ts'

type FileDropProps = {
  label: string
  disabled?: boolean
  onFile: (file: File) => void
  /** Takes the place of the label and the hint, with the button that opens the file dialog. */
  children?: (choose: ReactNode) => ReactNode
}

/** An area in which the user selects or drops a file with the pages of a wiki. */
export function FileDrop({ label, disabled = false, onFile, children }: FileDropProps) {
  const id = useId()
  const [over, setOver] = useState(false)
  const take = ([file]: readonly File[]) => {
    if (file !== undefined && !disabled) onFile(file)
  }
  const choose = (
    <>
      <FileInput
        id={id}
        aria-labelledby={children === undefined ? `${id}-label ${id}-button` : `${id}-button`}
        accept={wikiFiles}
        disabled={disabled}
        aria-describedby={`${id}-hint`}
        onFiles={take}
        className="peer sr-only"
      />
      <label
        id={`${id}-button`}
        htmlFor={id}
        className="tap inline-flex h-[30px] w-fit items-center rounded-sm border border-rail px-3 font-semibold hover:border-ink peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-disabled:border-line peer-disabled:text-muted"
      >
        Choose file
      </label>
    </>
  )
  const hint = (
    <p id={`${id}-hint`} className="text-muted">
      Drop or choose a file exported from TiddlyWiki (.json, .tid or .html), up to 20 MiB.
    </p>
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keyboard users can use the file field
    <div
      data-hook="drop-file"
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        event.preventDefault()
        setOver(false)
        take([...event.dataTransfer.files])
      }}
      className={`relative flex min-w-0 flex-wrap items-center gap-x-6 gap-y-2 rounded-sm border border-dashed p-4 ${over ? 'border-ink' : 'border-rail'}`}
    >
      {children === undefined ? (
        <>
          <div className="min-w-0 flex-1 basis-60">
            <p id={`${id}-label`} className="font-semibold">
              {label}
            </p>
            {hint}
          </div>
          {choose}
        </>
      ) : (
        <div className="flex flex-1 flex-col items-center text-center">
          {children(choose)}
          {hint}
        </div>
      )}
    </div>
  )
}
