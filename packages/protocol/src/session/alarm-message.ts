/** The sender's name that an alarm's message shows, and the prefix of its text. */
export const alarmSender = 'Alarm clock'
const alarmPrefix = '[Alarm Clock]'

/** Returns the text that an alarm sends to its agent. It includes the due time, because the agent may read it much later. */
export const alarmText = (reminder: string | null, dueAt: string): string =>
  `${alarmPrefix} ${reminder ?? 'You set this alarm without a message.'} (due ${dueAt.slice(0, 16)}Z)`

/** Reads the text of an alarm's message. Returns undefined for a message of another sender. */
export function readAlarm(
  sentBy: string | undefined,
  text: string
): { reminder: string; dueAt: string } | undefined {
  const due = text.lastIndexOf(' (due ')
  if (sentBy !== alarmSender || !text.startsWith(`${alarmPrefix} `) || due < 0) return undefined
  return {
    reminder: text.slice(alarmPrefix.length + 1, due),
    dueAt: text.slice(due + ' (due '.length, -1).replace(/Z$/, ':00Z')
  }
}
