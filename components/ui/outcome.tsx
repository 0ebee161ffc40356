/** What came of an action: its words, and whether it failed. An empty text says nothing. */
export type Said = { text: string; failed?: boolean }

/** The line beside a button that says what came of it. Screen readers hear it when it changes (WCAG 4.1.3). */
export function Outcome({ said: { text, failed } }: { said: Said }) {
  return (
    <p
      role="status"
      data-hook="outcome"
      data-outcome={text === '' ? undefined : failed ? 'failed' : 'saved'}
      className={failed ? 'text-fail' : 'text-muted'}
    >
      {text}
    </p>
  )
}
