type CutTextProps = { text: string; className?: string | undefined }

/** From this length on, the end of a word with a slash stays visible. */
const longWord = 20
const endLength = 12

/**
 * A text in one line. A cut leaves the end of a URL or path at its end visible, because many differ only there. The
 * pointer shows the whole text.
 */
export function CutText({ text, className = '' }: CutTextProps) {
  const last = text.slice(text.lastIndexOf(' ') + 1)
  const end = last.length >= longWord && /\/.*[^…]$/.test(last) ? text.slice(-endLength) : ''
  return (
    <span
      title={text}
      data-end={end}
      className={`flex min-w-0 overflow-hidden after:shrink-0 after:[content:attr(data-end)_/_""] ${className}`}
    >
      <span className={end === '' ? 'truncate' : 'min-w-[5ch] truncate'}>
        {text.slice(0, text.length - end.length)}
        {/* The box shows it after the cut. It stays in the text, for screen readers and copies. */}
        <span className="text-[0px]/0">{end}</span>
      </span>
    </span>
  )
}
