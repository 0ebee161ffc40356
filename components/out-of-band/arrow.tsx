import { ToIcon } from '#components/ui/icons.tsx'

/** An arrow icon that screen readers read as "to". */
export const Arrow = () => (
  <>
    <span className="inline-block align-[-3px] text-rail">
      <ToIcon />
    </span>
    <span className="sr-only"> to </span>
  </>
)
