import type { HandOffInitiator } from '@waystation/protocol/agent/hand-off.ts'
import type { RowProps } from './row-props.ts'

/** Marks the handoff after which another agent replies. */
export function HandOffRow({ row: { handOff } }: RowProps<'handoff'>) {
  const { toName, fromName, by, reason } = handOff
  return (
    <p data-hook="handoff" className="text-muted [overflow-wrap:anywhere]">
      Handed off to <span className="font-semibold text-ink">{toName}</span> {byWords(by, fromName)}
      {reason === undefined ? '.' : `: ${reason}`}
    </p>
  )
}

function byWords(by: HandOffInitiator, fromName: string): string {
  switch (by.kind) {
    case 'agent':
      return `by ${fromName}`
    case 'plugin':
      return `by the plugin ${by.name}`
    case 'person':
      return `by ${by.name}`
  }
}
