import { FormField } from '#components/forms/form-field.tsx'
import { names } from '#components/forms/text-format.ts'
import { Section } from '#components/ui/section.tsx'
import { Link } from '#components/workspace/link.tsx'
import { type Person, WhoMayAnswer } from './who-may-answer.tsx'

/** The people who can answer an agent's requests, and the agents that can take over. */
export const ApprovalFields = ({ people }: { people: readonly Person[] }) => (
  <>
    <WhoMayAnswer people={people} />
    <Section title="Which calls need approval">
      <p className="max-w-[68ch] text-muted">
        Each tool has its own setting under Tools. The workspace's{' '}
        <Link href="/settings#tool-rules" className="underline underline-offset-3">
          tool rules
        </Link>{' '}
        come first. A request's deadline is in the settings of its tool.
      </p>
    </Section>
    <Section title="Handoffs">
      <FormField
        name="chat.handoffs"
        as={names}
        label="Agents that can take over"
        hint="Agent IDs, separated by commas. Each becomes a tool, such as handoff_to_billing."
        mono
      />
    </Section>
  </>
)
