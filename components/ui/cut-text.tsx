type CutTextProps = { text: string; className?: string | undefined }

/** From this length on, the end of a word with a slash stays visible. */
const longWord = 20
const endLength = 12

/**
 * A text in one line. A cut leaves the end of a URL or path at its end visible, because many differ only there. The
 * pointer shows the whole text.
 *
 * With less than 18ch, the copy with the end wraps to a hidden line, and the text is cut at its end.
 */
export function CutText({ text, className = '' }: CutTextProps) {
  const last = text.slice(text.lastIndexOf(' ') + 1)
  const end = last.length >= longWord && /\/.*[^…]$/.test(last) ? text.slice(-endLength) : ''
  return (
    <span title={text} className={`flex h-[1lh] min-w-0 flex-wrap overflow-hidden ${className}`}>
      <span className={end === '' ? 'truncate' : '-mr-px w-0 min-w-px grow truncate'}>{text}</span>
      {end === '' ? null : (
        <span
          aria-hidden="true"
          data-start={text.slice(0, -endLength)}
          data-end={end}
          className="pointer-events-none flex min-w-0 grow-[99999] basis-[18ch] before:truncate before:whitespace-pre before:content-[attr(data-start)] after:flex-none after:whitespace-pre after:content-[attr(data-end)]"
        />
      )}
    </span>
  )
}
