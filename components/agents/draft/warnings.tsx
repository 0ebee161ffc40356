import type { AgentWarning } from '@waystation/protocol/agent/agent-revision.ts'

/** Lists the things that a configuration names and that do not exist. */
export function Warnings({ warnings = [] }: { warnings?: readonly AgentWarning[] | undefined }) {
  if (warnings.length === 0) return null
  return (
    <div className="border-l-2 border-l-fail pl-4">
      <p className="font-semibold">Sessions of this version can fail:</p>
      <ul aria-label="Warnings" data-hook="warnings" className="list-disc pl-5">
        {warnings.map(({ field, message }) => (
          <li key={field} data-field={field} className="[overflow-wrap:anywhere]">
            {message}
          </li>
        ))}
      </ul>
    </div>
  )
}
