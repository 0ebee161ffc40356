import { type ReactNode, useId, useState } from 'react'
import { FileInput } from '#components/ui/file-input.tsx'

type FileDropProps = { label: string; disabled?: boolean; onFile: (file: File) => void; children?: ReactNode }

/** A field in which the user selects or drops a TiddlyWiki file. */
export function FileDrop({ label, disabled = false, onFile, children }: FileDropProps) {
  const id = useId()
  const [over, setOver] = useState(false)
  const take = ([file]: readonly File[]) => {
    if (file !== undefined && !disabled) onFile(file)
  }
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
      className={`flex min-w-0 flex-col gap-1 rounded-sm border border-dashed p-3 ${over ? 'border-ink' : 'border-rail'}`}
    >
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <FileInput
        id={id}
        accept=".json,.tid,.html,.htm"
        disabled={disabled}
        aria-describedby={`${id}-hint`}
        onFiles={take}
        className="tap w-full min-w-0 file:mr-3 file:underline"
      />
      <p id={`${id}-hint`} className="text-muted">
        {children ?? 'Choose or drop a TiddlyWiki file (.json, .tid or complete .html), up to 20 MiB.'}
      </p>
    </div>
  )
}
