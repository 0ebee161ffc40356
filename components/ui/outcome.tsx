/** The result of an action as text, and whether the action failed. An empty text shows nothing. */
export type Said = { text: string; failed?: boolean }

/** Shows the result of an action beside its button. Screen readers announce each change (WCAG 4.1.3). */
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
