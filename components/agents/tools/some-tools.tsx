import { Picks } from '#components/forms/form-picks.tsx'

type SomeToolsProps = {
  name: string
  /** The names of the selected tools. Undefined: all. */
  value: unknown
  onChange: (tools: unknown) => void
  fault: string | undefined
  known: readonly { name: string }[] | undefined
}

/** Selects some of the tools of a server or plugin. */
export const SomeTools = ({ known, ...field }: SomeToolsProps) => (
  <Picks
    {...field}
    label="Tools"
    options={known?.map(({ name }) => ({ value: name, label: name }))}
    note="Type the name of a tool."
    placeholder="All tools, also later ones"
    unknown="is not offered"
  />
)
